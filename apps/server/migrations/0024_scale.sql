CREATE TABLE "running_session_count" (
	"organization_id" uuid NOT NULL,
	"instance_id" uuid NOT NULL,
	"shard" integer NOT NULL,
	"sessions" bigint NOT NULL,
	CONSTRAINT "running_session_count_organization_id_instance_id_shard_pk" PRIMARY KEY("organization_id","instance_id","shard")
);
--> statement-breakpoint
CREATE TABLE "budget_crossing" (
	"budget_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"starts_on" date NOT NULL,
	CONSTRAINT "budget_crossing_budget_id_kind_pk" PRIMARY KEY("budget_id","kind")
);
--> statement-breakpoint
CREATE TABLE "reserved_amount" (
	"organization_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"shard" integer NOT NULL,
	"reservations" bigint NOT NULL,
	"tokens" bigint NOT NULL,
	"cost" numeric NOT NULL,
	CONSTRAINT "reserved_amount_organization_id_subject_id_shard_pk" PRIMARY KEY("organization_id","subject_id","shard")
);
--> statement-breakpoint
CREATE TABLE "usage_counter_part" (
	"organization_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"period" text NOT NULL,
	"starts_on" date NOT NULL,
	"tokens" bigint NOT NULL,
	"unpriced_tokens" bigint NOT NULL,
	"cost" numeric NOT NULL,
	"shard" integer NOT NULL,
	"responses" bigint NOT NULL,
	CONSTRAINT "usage_counter_part_subject" PRIMARY KEY("organization_id","subject_id","period","starts_on","shard")
);
--> statement-breakpoint
CREATE TABLE "usage_reservation" (
	"source_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"tokens" bigint NOT NULL,
	"cost" numeric NOT NULL,
	CONSTRAINT "usage_reservation_source_id_agent_id_pk" PRIMARY KEY("source_id","agent_id")
);
--> statement-breakpoint
CREATE TABLE "usage_rollup_part" (
	"organization_id" uuid NOT NULL,
	"day" date NOT NULL,
	"agent_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"model" text NOT NULL,
	"channel" text NOT NULL,
	"shard" integer NOT NULL,
	"sessions" bigint NOT NULL,
	"turns" bigint NOT NULL,
	"responses" bigint NOT NULL,
	"priced_responses" bigint NOT NULL,
	"unknown_responses" bigint NOT NULL,
	"tool_calls" bigint NOT NULL,
	"milliseconds" bigint NOT NULL,
	"audio_milliseconds" bigint NOT NULL,
	"text_input" bigint NOT NULL,
	"text_output" bigint NOT NULL,
	"audio_input" bigint NOT NULL,
	"audio_output" bigint NOT NULL,
	"image_input" bigint NOT NULL,
	"cached_text_input" bigint NOT NULL,
	"cached_audio_input" bigint NOT NULL,
	"cached_image_input" bigint NOT NULL,
	"cache_write_text_input" bigint NOT NULL,
	"unpriced_tokens" bigint NOT NULL,
	"unpriced_milliseconds" bigint NOT NULL,
	"cost" numeric NOT NULL,
	CONSTRAINT "usage_rollup_part_group" PRIMARY KEY("organization_id","day","agent_id","api_key_id","connection_id","model","channel","shard")
);
--> statement-breakpoint
ALTER TABLE "budget_crossing" ADD CONSTRAINT "budget_crossing_budget_id_budget_id_fk" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "usage_counter_part_overdue" ON "usage_counter_part" USING btree ("starts_on");--> statement-breakpoint
CREATE INDEX "usage_rollup_part_day" ON "usage_rollup_part" USING btree ("day");--> statement-breakpoint
-- A session counts while it runs on an instance. Its row of the count is fixed by its id.
CREATE FUNCTION add_running_session(organization uuid, instance uuid, session uuid, change integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO running_session_count (organization_id, instance_id, shard, sessions)
  SELECT organization, instance, get_byte(uuid_send(session), 15) % 4, change WHERE instance IS NOT NULL
  ON CONFLICT (organization_id, instance_id, shard)
    DO UPDATE SET sessions = running_session_count.sessions + excluded.sessions
$$;--> statement-breakpoint
CREATE FUNCTION count_running_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.state = 'consumed' AND OLD.ended_at IS NULL THEN
    PERFORM add_running_session(OLD.organization_id, OLD.instance_id, OLD.id, -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.state = 'consumed' AND NEW.ended_at IS NULL THEN
    PERFORM add_running_session(NEW.organization_id, NEW.instance_id, NEW.id, 1);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- Deferred to the commit: a row of the count is locked last, and for a moment only.
CREATE CONSTRAINT TRIGGER count_new_session AFTER INSERT ON realtime_session DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.state = 'consumed' AND NEW.ended_at IS NULL) EXECUTE FUNCTION count_running_session();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER count_removed_session AFTER DELETE ON realtime_session DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.state = 'consumed' AND OLD.ended_at IS NULL) EXECUTE FUNCTION count_running_session();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER count_changed_session AFTER UPDATE ON realtime_session DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.state <> NEW.state OR (OLD.ended_at IS NULL) <> (NEW.ended_at IS NULL)
    OR OLD.instance_id IS DISTINCT FROM NEW.instance_id) EXECUTE FUNCTION count_running_session();--> statement-breakpoint
-- The triggers hold a lock that keeps other writers out until this migration is committed, so nothing is missed or counted twice.
INSERT INTO running_session_count (organization_id, instance_id, shard, sessions)
  SELECT organization_id, instance_id, get_byte(uuid_send(id), 15) % 4, count(*) FROM realtime_session
  WHERE state = 'consumed' AND ended_at IS NULL AND instance_id IS NOT NULL GROUP BY 1, 2, 3;--> statement-breakpoint
-- The row of the organization is locked first, so that transactions never wait for one another in a circle.
CREATE FUNCTION add_reserved_amount(changed usage_reservation, sign integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO reserved_amount (organization_id, subject_id, shard, reservations, tokens, cost)
  SELECT changed.organization_id, subject.id, get_byte(uuid_send(changed.source_id), 15) % 16,
    sign, sign * changed.tokens, sign * changed.cost
  FROM (VALUES (1, changed.organization_id), (2, changed.agent_id), (3, changed.api_key_id)) AS subject (number, id)
  WHERE subject.id <> '00000000-0000-0000-0000-000000000000' ORDER BY subject.number
  ON CONFLICT (organization_id, subject_id, shard) DO UPDATE SET
    reservations = reserved_amount.reservations + excluded.reservations,
    tokens = reserved_amount.tokens + excluded.tokens, cost = reserved_amount.cost + excluded.cost
$$;--> statement-breakpoint
CREATE FUNCTION count_reservation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM add_reserved_amount(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM add_reserved_amount(NEW, 1); END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER count_reservation AFTER INSERT OR UPDATE OR DELETE ON usage_reservation DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION count_reservation();--> statement-breakpoint
-- A turn or session that has ended reserves nothing, whoever ended it: also those of an instance that is gone.
CREATE FUNCTION release_reservation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM usage_reservation WHERE source_id = OLD.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER release_ended_turn AFTER UPDATE ON turn
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION release_reservation();--> statement-breakpoint
CREATE TRIGGER release_removed_turn AFTER DELETE ON turn
  FOR EACH ROW EXECUTE FUNCTION release_reservation();--> statement-breakpoint
CREATE TRIGGER release_ended_session AFTER UPDATE ON realtime_session
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION release_reservation();--> statement-breakpoint
CREATE TRIGGER release_removed_session AFTER DELETE ON realtime_session
  FOR EACH ROW EXECUTE FUNCTION release_reservation();--> statement-breakpoint
-- Lines that budgets have reached in their current period are not recorded a second time.
INSERT INTO budget_crossing (budget_id, kind, starts_on)
  SELECT budget.id, line.kind, usage_counter.starts_on
  FROM budget JOIN usage_counter ON usage_counter.organization_id = budget.organization_id
    AND usage_counter.subject_id = coalesce(budget.agent_id, budget.api_key_id, budget.organization_id)
    AND usage_counter.period = budget.period
    AND usage_counter.starts_on = date_trunc(budget.period, now() AT TIME ZONE 'UTC')::date
  CROSS JOIN LATERAL (VALUES ('warning', budget.warn_at_percent), ('exceeded', 100)) AS line (kind, percent)
  WHERE coalesce(usage_counter.cost * 100 >= (budget."limit" ->> 'amount')::numeric * line.percent,
    usage_counter.tokens * 100 >= (budget."limit" ->> 'tokens')::numeric * line.percent);
