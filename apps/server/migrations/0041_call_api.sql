ALTER TABLE "task" ADD COLUMN "channel" text DEFAULT 'text' NOT NULL;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "to_number" text;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "from_number" text;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "phone_call_id" uuid;--> statement-breakpoint
ALTER TABLE "phone_call" ADD COLUMN "digits_requested" text;--> statement-breakpoint
ALTER TABLE "phone_connection" ADD COLUMN "price_per_minute" json;--> statement-breakpoint
CREATE INDEX "task_calling" ON "task" USING btree ("run_deadline_at") WHERE run_started_at is not null and next_run_at is null and phone_call_id is not null;--> statement-breakpoint
CREATE INDEX "phone_call_created" ON "phone_call" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "phone_call_changed" ON "phone_call" USING btree ("organization_id","updated_at");--> statement-breakpoint
-- As before, with calls. Their numbers belong to their conversation, and go with it.
CREATE OR REPLACE FUNCTION note_webhook_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  noted jsonb;
  agent uuid;
  place uuid;
BEGIN
  IF NOT wants_webhook_event(NEW.organization_id, TG_ARGV[0]) THEN RETURN NULL; END IF;
  noted := to_jsonb(NEW) - ARRAY['tool_secrets', 'hash', 'token_hash', 'setup', 'call', 'question',
    'additional_instructions', 'answer', 'item_id', 'idempotency_key', 'digits_requested'];
  IF TG_TABLE_NAME = 'approval' THEN
    noted := noted || jsonb_build_object('call', jsonb_build_object('title', to_jsonb(NEW) #>> '{call,title}'));
  END IF;
  place := CASE TG_TABLE_NAME
    WHEN 'conversation' THEN NEW.id
    -- A task outlives the conversation in which it was created.
    WHEN 'task' THEN NULL
    ELSE (noted ->> 'conversation_id')::uuid END;
  IF place IS NOT NULL AND EXISTS (SELECT 1 FROM conversation AS c WHERE c.id = place AND c.rehearsal) THEN
    RETURN NULL;
  END IF;
  agent := CASE TG_TABLE_NAME
    WHEN 'agent' THEN NEW.id
    WHEN 'message' THEN (SELECT c.agent_id FROM conversation AS c WHERE c.id = place)
    ELSE (noted ->> 'agent_id')::uuid END;
  INSERT INTO webhook_event (organization_id, type, agent_id, conversation_id, order_key, source, data)
  VALUES (NEW.organization_id, TG_ARGV[0], agent,
    -- Events of other tables contain no words that must be removed with their conversation.
    CASE WHEN TG_TABLE_NAME IN ('message', 'turn', 'approval', 'phone_call') THEN place END,
    coalesce(place, NEW.id), TG_TABLE_NAME, noted);
  RETURN NULL;
END $$;--> statement-breakpoint
-- An incoming call starts when its conversation is stored, so that the event names the end user.
CREATE TRIGGER note_incoming_call_started AFTER UPDATE OF conversation_id ON phone_call
  FOR EACH ROW WHEN (NEW.direction = 'incoming' AND OLD.conversation_id IS NULL AND NEW.conversation_id IS NOT NULL)
  EXECUTE FUNCTION note_webhook_event('call.started');--> statement-breakpoint
CREATE TRIGGER note_outgoing_call_started AFTER UPDATE OF state ON phone_call
  FOR EACH ROW WHEN (OLD.state = 'queued' AND NEW.state = 'ringing')
  EXECUTE FUNCTION note_webhook_event('call.started');--> statement-breakpoint
CREATE TRIGGER note_call_ended AFTER UPDATE OF ended_at ON phone_call
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
  EXECUTE FUNCTION note_webhook_event('call.ended');--> statement-breakpoint
-- A rejected call is stored as ended.
CREATE TRIGGER note_call_rejected AFTER INSERT ON phone_call
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL)
  EXECUTE FUNCTION note_webhook_event('call.ended');
