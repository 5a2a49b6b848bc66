CREATE TABLE "stored_amount" (
	"organization_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"shard" integer NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "stored_amount_organization_id_kind_shard_pk" PRIMARY KEY("organization_id","kind","shard")
);
--> statement-breakpoint
CREATE INDEX "realtime_session_running_of" ON "realtime_session" USING btree ("organization_id") WHERE state = 'consumed' and ended_at is null;--> statement-breakpoint
CREATE INDEX "turn_queued_of" ON "turn" USING btree ("organization_id") WHERE state = 'queued' and ended_at is null;--> statement-breakpoint
-- One row for each organization, kind and part of the connections: writers of one organization seldom wait for one another.
CREATE FUNCTION add_stored_amount(organization uuid, counted text, change bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO stored_amount (organization_id, kind, shard, amount)
  VALUES (organization, counted, pg_backend_pid() % 16, change)
  ON CONFLICT (organization_id, kind, shard) DO UPDATE SET amount = stored_amount.amount + excluded.amount
$$;--> statement-breakpoint
-- A row came, went, or was marked as deleted; the marked ones are gone as far as anybody can see.
CREATE FUNCTION count_stored_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN PERFORM add_stored_amount(NEW.organization_id, TG_ARGV[0], 1);
    WHEN 'DELETE' THEN PERFORM add_stored_amount(OLD.organization_id, TG_ARGV[0], -1);
    ELSE PERFORM add_stored_amount(NEW.organization_id, TG_ARGV[0], CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END);
  END CASE;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION count_file_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN PERFORM add_stored_amount(NEW.organization_id, 'fileBytes', NEW.size_bytes);
    WHEN 'DELETE' THEN PERFORM add_stored_amount(OLD.organization_id, 'fileBytes', -OLD.size_bytes);
    ELSE PERFORM add_stored_amount(NEW.organization_id, 'fileBytes', NEW.size_bytes - OLD.size_bytes);
  END CASE;
  RETURN NULL;
END $$;--> statement-breakpoint
-- A conversation knows how many messages it has; deleted, it has none.
CREATE FUNCTION count_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_stored_amount(NEW.organization_id, 'messages',
    CASE WHEN NEW.deleted_at IS NULL THEN NEW.message_count ELSE 0 END
    - CASE WHEN OLD.deleted_at IS NULL THEN OLD.message_count ELSE 0 END);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER count_connection AFTER INSERT OR DELETE ON connection
  FOR EACH ROW EXECUTE FUNCTION count_stored_row('connections');--> statement-breakpoint
CREATE TRIGGER count_task AFTER INSERT OR DELETE ON task
  FOR EACH ROW EXECUTE FUNCTION count_stored_row('tasks');--> statement-breakpoint
CREATE TRIGGER count_file AFTER INSERT OR DELETE ON temporary_file
  FOR EACH ROW EXECUTE FUNCTION count_stored_row('files');--> statement-breakpoint
CREATE TRIGGER count_file_bytes AFTER INSERT OR DELETE ON temporary_file
  FOR EACH ROW EXECUTE FUNCTION count_file_bytes();--> statement-breakpoint
CREATE TRIGGER count_changed_file_bytes AFTER UPDATE ON temporary_file
  FOR EACH ROW WHEN (OLD.size_bytes <> NEW.size_bytes) EXECUTE FUNCTION count_file_bytes();--> statement-breakpoint
CREATE TRIGGER count_messages AFTER UPDATE ON conversation
  FOR EACH ROW WHEN (OLD.message_count <> NEW.message_count OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
  EXECUTE FUNCTION count_messages();--> statement-breakpoint
CREATE TRIGGER count_new_agent AFTER INSERT ON agent
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL) EXECUTE FUNCTION count_stored_row('agents');--> statement-breakpoint
CREATE TRIGGER count_removed_agent AFTER DELETE ON agent
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION count_stored_row('agents');--> statement-breakpoint
CREATE TRIGGER count_marked_agent AFTER UPDATE ON agent
  FOR EACH ROW WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION count_stored_row('agents');--> statement-breakpoint
CREATE TRIGGER count_new_key AFTER INSERT ON api_key
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL) EXECUTE FUNCTION count_stored_row('apiKeys');--> statement-breakpoint
CREATE TRIGGER count_removed_key AFTER DELETE ON api_key
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION count_stored_row('apiKeys');--> statement-breakpoint
CREATE TRIGGER count_marked_key AFTER UPDATE ON api_key
  FOR EACH ROW WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION count_stored_row('apiKeys');--> statement-breakpoint
CREATE TRIGGER count_new_conversation AFTER INSERT ON conversation
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL) EXECUTE FUNCTION count_stored_row('conversations');--> statement-breakpoint
CREATE TRIGGER count_removed_conversation AFTER DELETE ON conversation
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION count_stored_row('conversations');--> statement-breakpoint
CREATE TRIGGER count_marked_conversation AFTER UPDATE ON conversation
  FOR EACH ROW WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION count_stored_row('conversations');--> statement-breakpoint
-- What is there already.
INSERT INTO stored_amount (organization_id, kind, shard, amount)
  SELECT organization_id, 'connections', 0, count(*) FROM connection GROUP BY organization_id
  UNION ALL SELECT organization_id, 'tasks', 0, count(*) FROM task GROUP BY organization_id
  UNION ALL SELECT organization_id, 'files', 0, count(*) FROM temporary_file GROUP BY organization_id
  UNION ALL SELECT organization_id, 'fileBytes', 0, sum(size_bytes) FROM temporary_file GROUP BY organization_id
  UNION ALL SELECT organization_id, 'agents', 0, count(*) FROM agent WHERE deleted_at IS NULL GROUP BY organization_id
  UNION ALL SELECT organization_id, 'apiKeys', 0, count(*) FROM api_key WHERE deleted_at IS NULL GROUP BY organization_id
  UNION ALL SELECT organization_id, 'conversations', 0, count(*) FROM conversation WHERE deleted_at IS NULL GROUP BY organization_id
  UNION ALL SELECT organization_id, 'messages', 0, sum(message_count) FROM conversation WHERE deleted_at IS NULL GROUP BY organization_id;
