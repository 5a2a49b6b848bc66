CREATE TABLE "realtime_exchange" (
	"session_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"speech_stopped_at" integer,
	"typed_at" integer,
	"response_created_at" integer,
	"first_token_at" integer,
	"first_audio_at" integer,
	"tools" json NOT NULL,
	"done_at" integer NOT NULL,
	"status" text NOT NULL,
	CONSTRAINT "realtime_exchange_session_id_number_pk" PRIMARY KEY("session_id","number")
);
--> statement-breakpoint
CREATE TABLE "realtime_session_figures" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"started_at" timestamp(3) with time zone NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"end_reason" text,
	"responses" double precision NOT NULL,
	"total_tokens" double precision NOT NULL,
	"input_tokens" double precision NOT NULL,
	"input_text_tokens" double precision NOT NULL,
	"input_audio_tokens" double precision NOT NULL,
	"input_image_tokens" double precision NOT NULL,
	"cached_tokens" double precision NOT NULL,
	"cached_text_tokens" double precision NOT NULL,
	"cached_audio_tokens" double precision NOT NULL,
	"output_tokens" double precision NOT NULL,
	"output_text_tokens" double precision NOT NULL,
	"output_audio_tokens" double precision NOT NULL,
	"exchanges" integer DEFAULT 0 NOT NULL,
	"latency_counts" numeric DEFAULT '0' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "realtime_session" ADD COLUMN "latency" json;--> statement-breakpoint
ALTER TABLE "realtime_exchange" ADD CONSTRAINT "realtime_exchange_session_id_realtime_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."realtime_session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "realtime_session_figures" ADD CONSTRAINT "realtime_session_figures_session_id_realtime_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."realtime_session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "realtime_session_figures_started" ON "realtime_session_figures" USING btree ("organization_id","started_at");--> statement-breakpoint
CREATE INDEX "realtime_session_created" ON "realtime_session" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "realtime_session_end_reason" ON "realtime_session" USING btree ("organization_id","end_reason","created_at");--> statement-breakpoint
-- Providers write what they like where a number of tokens should be; a sum must not fail of it.
CREATE FUNCTION token_count(written numeric) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
  SELECT round(least(greatest(coalesce(written, 0), 0), 1e15))::double precision
$$;--> statement-breakpoint
CREATE FUNCTION note_session_figures() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO realtime_session_figures (session_id, organization_id, agent_id, started_at, ended_at, end_reason,
    responses, total_tokens, input_tokens, input_text_tokens, input_audio_tokens, input_image_tokens,
    cached_tokens, cached_text_tokens, cached_audio_tokens, output_tokens, output_text_tokens,
    output_audio_tokens)
  SELECT NEW.id, NEW.organization_id, NEW.agent_id, NEW.started_at, NEW.ended_at, NEW.end_reason,
    token_count(used."responses"), token_count(used."totalTokens"), token_count(used."inputTokens"),
    token_count(used."inputTextTokens"), token_count(used."inputAudioTokens"),
    token_count(used."inputImageTokens"), token_count(used."cachedTokens"),
    token_count(used."cachedTextTokens"), token_count(used."cachedAudioTokens"),
    token_count(used."outputTokens"), token_count(used."outputTextTokens"),
    token_count(used."outputAudioTokens")
  FROM json_to_record(NEW.usage) AS used (
    "responses" numeric, "totalTokens" numeric, "inputTokens" numeric, "inputTextTokens" numeric,
    "inputAudioTokens" numeric, "inputImageTokens" numeric, "cachedTokens" numeric,
    "cachedTextTokens" numeric, "cachedAudioTokens" numeric, "outputTokens" numeric,
    "outputTextTokens" numeric, "outputAudioTokens" numeric)
  ON CONFLICT (session_id) DO UPDATE SET
    ended_at = excluded.ended_at, end_reason = excluded.end_reason,
    responses = excluded.responses, total_tokens = excluded.total_tokens,
    input_tokens = excluded.input_tokens, input_text_tokens = excluded.input_text_tokens,
    input_audio_tokens = excluded.input_audio_tokens, input_image_tokens = excluded.input_image_tokens,
    cached_tokens = excluded.cached_tokens, cached_text_tokens = excluded.cached_text_tokens,
    cached_audio_tokens = excluded.cached_audio_tokens, output_tokens = excluded.output_tokens,
    output_text_tokens = excluded.output_text_tokens, output_audio_tokens = excluded.output_audio_tokens;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER note_session_figures
  AFTER INSERT OR UPDATE OF started_at, ended_at, end_reason, usage ON realtime_session
  FOR EACH ROW WHEN (NEW.started_at IS NOT NULL) EXECUTE FUNCTION note_session_figures();--> statement-breakpoint
-- Those that are there already.
UPDATE realtime_session SET usage = usage WHERE started_at IS NOT NULL;--> statement-breakpoint
-- The sums of each bucket that has sessions. Bucket by bucket, each a range of the index: grouped all at once they are
-- sorted first, as nobody can tell the planner how few groups there are. To compile the query (jit) takes longer than to
-- run it. With 100 000 sessions of ten exchanges in 92 days, on PostgreSQL 15, that makes 0.2 s of 0.9 s by the day, and
-- 0.3 s of 1.6 s by the hour.
CREATE FUNCTION realtime_session_sums(organization uuid, agent uuid, bounds timestamptz[], until timestamptz)
  RETURNS TABLE (bucket integer, ends json, sessions integer, seconds double precision, exchanges double precision,
    latency_counts numeric,
    responses double precision, total_tokens double precision, input_tokens double precision,
    input_text_tokens double precision, input_audio_tokens double precision,
    input_image_tokens double precision, cached_tokens double precision, cached_text_tokens double precision,
    cached_audio_tokens double precision, output_tokens double precision, output_text_tokens double precision,
    output_audio_tokens double precision)
  LANGUAGE sql STABLE SET jit TO off AS $$
  SELECT (bound.number - 1)::integer, sums.*
  FROM unnest(bounds[:cardinality(bounds) - 1], bounds[2:]) WITH ORDINALITY AS bound (starts, ends, number)
  CROSS JOIN LATERAL (
    SELECT json_object_agg(coalesce(f.end_reason, ''), f.sessions), sum(f.sessions)::integer, sum(f.seconds),
      sum(f.exchanges), sum(f.latency_counts),
      sum(f.responses), sum(f.total_tokens), sum(f.input_tokens), sum(f.input_text_tokens),
      sum(f.input_audio_tokens), sum(f.input_image_tokens), sum(f.cached_tokens), sum(f.cached_text_tokens),
      sum(f.cached_audio_tokens), sum(f.output_tokens), sum(f.output_text_tokens), sum(f.output_audio_tokens)
    FROM (
      SELECT f.end_reason, count(*) AS sessions,
        sum(greatest(0, date_part('epoch', coalesce(f.ended_at, until) - f.started_at))) AS seconds,
        sum(f.exchanges)::double precision AS exchanges, sum(f.latency_counts) AS latency_counts,
        sum(f.responses) AS responses, sum(f.total_tokens) AS total_tokens,
        sum(f.input_tokens) AS input_tokens, sum(f.input_text_tokens) AS input_text_tokens,
        sum(f.input_audio_tokens) AS input_audio_tokens, sum(f.input_image_tokens) AS input_image_tokens,
        sum(f.cached_tokens) AS cached_tokens, sum(f.cached_text_tokens) AS cached_text_tokens,
        sum(f.cached_audio_tokens) AS cached_audio_tokens, sum(f.output_tokens) AS output_tokens,
        sum(f.output_text_tokens) AS output_text_tokens, sum(f.output_audio_tokens) AS output_audio_tokens
      FROM realtime_session_figures f
      WHERE f.organization_id = organization AND f.started_at >= bound.starts AND f.started_at < bound.ends
        AND (agent IS NULL OR f.agent_id = agent)
      GROUP BY f.end_reason) AS f
    HAVING count(*) > 0) AS sums
$$;
