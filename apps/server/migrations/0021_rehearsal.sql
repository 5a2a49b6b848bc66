ALTER TABLE "approval" ADD COLUMN "rehearsal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "rehearsal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "realtime_session" ADD COLUMN "rehearsal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "turn" ADD COLUMN "rehearsal" json;--> statement-breakpoint
-- As before, but for this: of what is part of a rehearsal nothing is noted. Its conversation says so, whoever changed the row.
CREATE OR REPLACE FUNCTION note_webhook_event() RETURNS trigger LANGUAGE plpgsql AS $$
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
  IF place IS NOT NULL AND EXISTS (SELECT 1 FROM conversation AS c WHERE c.id = place AND c.rehearsal) THEN
    RETURN NULL;
  END IF;
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
END $$;
