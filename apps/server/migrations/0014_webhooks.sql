CREATE TABLE "webhook" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"agent_ids" uuid[] NOT NULL,
	"payload" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"disabled_reason" text,
	"failing_since" timestamp(3) with time zone,
	"is_failing_told" boolean NOT NULL,
	"sealed_secret" text NOT NULL,
	"sealed_previous_secret" text,
	"previous_secret_expires_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_delivery" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"message_id" uuid NOT NULL,
	"position" bigint NOT NULL,
	"order_key" uuid NOT NULL,
	"conversation_id" uuid,
	"type" text NOT NULL,
	"body" text,
	"state" text NOT NULL,
	"attempt_count" integer NOT NULL,
	"attempted_at" timestamp(3) with time zone,
	"due_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"claimed_by" uuid,
	"claimed_at" timestamp(3) with time zone,
	"attempts" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_event" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"type" text NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"agent_id" uuid,
	"conversation_id" uuid,
	"order_key" uuid NOT NULL,
	"source" text,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_id_webhook_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhook"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_organization" ON "webhook" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "webhook_enabled" ON "webhook" USING btree ("organization_id") WHERE is_enabled;--> statement-breakpoint
CREATE INDEX "webhook_delivery_webhook" ON "webhook_delivery" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_attempted" ON "webhook_delivery" USING btree ("webhook_id","attempted_at") WHERE attempted_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" USING btree ("webhook_id","due_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_delivery_next" ON "webhook_delivery" USING btree ("webhook_id","position") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_delivery_order" ON "webhook_delivery" USING btree ("webhook_id","order_key","position") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_delivery_claimed" ON "webhook_delivery" USING btree ("webhook_id") WHERE claimed_by is not null;--> statement-breakpoint
CREATE INDEX "webhook_delivery_ended" ON "webhook_delivery" USING btree ("webhook_id","ended_at") WHERE state <> 'pending';--> statement-breakpoint
CREATE INDEX "webhook_delivery_over" ON "webhook_delivery" USING btree (coalesce(ended_at, due_at));--> statement-breakpoint
CREATE INDEX "webhook_delivery_conversation" ON "webhook_delivery" USING btree ("conversation_id") WHERE conversation_id is not null and body is not null;--> statement-breakpoint
CREATE INDEX "webhook_event_conversation" ON "webhook_event" USING btree ("conversation_id");--> statement-breakpoint
CREATE TRIGGER count_webhook AFTER INSERT OR DELETE ON webhook
  FOR EACH ROW EXECUTE FUNCTION count_stored_row('webhooks');--> statement-breakpoint
-- Whether anybody wants to know. Asked for every row that changes, so it is one look into a small index.
CREATE FUNCTION wants_webhook_event(organization uuid, event text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM webhook
    WHERE webhook.organization_id = organization AND webhook.is_enabled AND webhook.events && ARRAY[event, '*'])
$$;--> statement-breakpoint
-- What happens to a row is said by the table itself, in the same transaction: whoever changes it, closes what a dead
-- instance has left or lets an approval expire cannot forget it. The columns that are left out hold secrets, or are large
-- and never sent.
CREATE FUNCTION note_webhook_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  noted jsonb;
  agent uuid;
  place uuid;
BEGIN
  IF NOT wants_webhook_event(NEW.organization_id, TG_ARGV[0]) THEN RETURN NULL; END IF;
  noted := to_jsonb(NEW) - ARRAY['tool_secrets', 'hash', 'token_hash', 'setup', 'call', 'question',
    'additional_instructions', 'answer', 'item_id', 'idempotency_key'];
  IF TG_TABLE_NAME = 'approval' THEN
    noted := noted || jsonb_build_object('call', jsonb_build_object('title', to_jsonb(NEW) #>> '{call,title}'));
  END IF;
  place := CASE TG_TABLE_NAME
    WHEN 'conversation' THEN NEW.id
    -- A task outlives the conversation that it came out of.
    WHEN 'task' THEN NULL
    ELSE (noted ->> 'conversation_id')::uuid END;
  agent := CASE TG_TABLE_NAME
    WHEN 'agent' THEN NEW.id
    WHEN 'message' THEN (SELECT c.agent_id FROM conversation AS c WHERE c.id = place)
    ELSE (noted ->> 'agent_id')::uuid END;
  INSERT INTO webhook_event (organization_id, type, agent_id, conversation_id, order_key, source, data)
  VALUES (NEW.organization_id, TG_ARGV[0], agent,
    -- The others hold no words that would have to go with their conversation.
    CASE WHEN TG_TABLE_NAME IN ('message', 'turn', 'approval') THEN place END,
    coalesce(place, NEW.id), TG_TABLE_NAME, noted);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER note_conversation_created AFTER INSERT ON conversation
  FOR EACH ROW EXECUTE FUNCTION note_webhook_event('conversation.created');--> statement-breakpoint
CREATE TRIGGER note_conversation_deleted AFTER UPDATE OF deleted_at ON conversation
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION note_webhook_event('conversation.deleted');--> statement-breakpoint
CREATE TRIGGER note_message_created AFTER INSERT ON message
  FOR EACH ROW EXECUTE FUNCTION note_webhook_event('conversation.message.created');--> statement-breakpoint
CREATE TRIGGER note_turn_ended AFTER UPDATE OF ended_at ON turn
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
  EXECUTE FUNCTION note_webhook_event('turn.ended');--> statement-breakpoint
CREATE TRIGGER note_session_started AFTER UPDATE OF started_at ON realtime_session
  FOR EACH ROW WHEN (OLD.started_at IS NULL AND NEW.started_at IS NOT NULL)
  EXECUTE FUNCTION note_webhook_event('realtime.session.started');--> statement-breakpoint
CREATE TRIGGER note_session_ended AFTER UPDATE OF ended_at ON realtime_session
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.started_at IS NOT NULL)
  EXECUTE FUNCTION note_webhook_event('realtime.session.ended');--> statement-breakpoint
CREATE TRIGGER note_approval_waiting AFTER INSERT ON approval
  FOR EACH ROW WHEN (NEW.state = 'waiting') EXECUTE FUNCTION note_webhook_event('approval.waiting');--> statement-breakpoint
CREATE TRIGGER note_approval_decided AFTER UPDATE OF state ON approval
  FOR EACH ROW WHEN (OLD.state = 'waiting' AND NEW.state IN ('approved', 'rejected'))
  EXECUTE FUNCTION note_webhook_event('approval.decided');--> statement-breakpoint
CREATE TRIGGER note_approval_expired AFTER UPDATE OF state ON approval
  FOR EACH ROW WHEN (OLD.state = 'waiting' AND NEW.state = 'expired')
  EXECUTE FUNCTION note_webhook_event('approval.expired');--> statement-breakpoint
CREATE TRIGGER note_task_created AFTER INSERT ON task
  FOR EACH ROW EXECUTE FUNCTION note_webhook_event('task.created');--> statement-breakpoint
CREATE TRIGGER note_task_updated AFTER UPDATE ON task
  FOR EACH ROW WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION note_webhook_event('task.updated');--> statement-breakpoint
CREATE TRIGGER note_agent_created AFTER INSERT ON agent
  FOR EACH ROW EXECUTE FUNCTION note_webhook_event('agent.created');--> statement-breakpoint
CREATE TRIGGER note_agent_updated AFTER UPDATE ON agent
  FOR EACH ROW WHEN (OLD.version <> NEW.version AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION note_webhook_event('agent.updated');--> statement-breakpoint
CREATE TRIGGER note_agent_deleted AFTER UPDATE OF deleted_at ON agent
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION note_webhook_event('agent.deleted');--> statement-breakpoint
CREATE TRIGGER note_key_created AFTER INSERT ON api_key
  FOR EACH ROW EXECUTE FUNCTION note_webhook_event('api_key.created');--> statement-breakpoint
CREATE TRIGGER note_key_deleted AFTER UPDATE OF deleted_at ON api_key
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION note_webhook_event('api_key.deleted');
