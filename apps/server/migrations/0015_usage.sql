CREATE TABLE "budget" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"name" text NOT NULL,
	"agent_id" uuid,
	"api_key_id" uuid,
	"period" text NOT NULL,
	"limit" json NOT NULL,
	"warn_at_percent" integer NOT NULL,
	"on_exceeded" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "own_price" (
	"organization_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"model" text NOT NULL,
	"above_input_tokens" integer NOT NULL,
	"valid_from" timestamp(3) with time zone NOT NULL,
	"per_million" json NOT NULL,
	"per_hour" double precision,
	"saved_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "own_price_model" PRIMARY KEY("organization_id","kind","model","above_input_tokens","valid_from")
);
--> statement-breakpoint
CREATE TABLE "usage_counter" (
	"organization_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"period" text NOT NULL,
	"starts_on" date NOT NULL,
	"tokens" bigint NOT NULL,
	"unpriced_tokens" bigint NOT NULL,
	"cost" numeric NOT NULL,
	CONSTRAINT "usage_counter_subject" PRIMARY KEY("organization_id","subject_id","period","starts_on")
);
--> statement-breakpoint
CREATE TABLE "usage_record" (
	"source_id" uuid NOT NULL,
	"item" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"organization_id" uuid NOT NULL,
	"day" date NOT NULL,
	"agent_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"model" text NOT NULL,
	"channel" text NOT NULL,
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
	"price" text,
	CONSTRAINT "usage_record_source_id_item_pk" PRIMARY KEY("source_id","item")
);
--> statement-breakpoint
CREATE TABLE "usage_rollup" (
	"organization_id" uuid NOT NULL,
	"day" date NOT NULL,
	"agent_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"model" text NOT NULL,
	"channel" text NOT NULL,
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
	CONSTRAINT "usage_rollup_group" PRIMARY KEY("organization_id","day","agent_id","api_key_id","connection_id","model","channel")
);
--> statement-breakpoint
ALTER TABLE "realtime_session" ADD COLUMN "api_key_id" uuid;--> statement-breakpoint
ALTER TABLE "realtime_session" ADD COLUMN "cost" json DEFAULT '{"amount":null,"currency":"USD","unpricedTokens":0,"unpricedSeconds":0,"unknownResponses":0}'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "turn" ADD COLUMN "api_key_id" uuid;--> statement-breakpoint
ALTER TABLE "turn" ADD COLUMN "cost" json DEFAULT '{"amount":null,"currency":"USD","unpricedTokens":0,"unpricedSeconds":0,"unknownResponses":0}'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "budget" ADD CONSTRAINT "budget_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "own_price" ADD CONSTRAINT "own_price_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_organization" ON "budget" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "usage_counter_overdue" ON "usage_counter" USING btree ("starts_on");--> statement-breakpoint
CREATE INDEX "usage_record_at" ON "usage_record" USING btree ("organization_id","at");--> statement-breakpoint
CREATE INDEX "usage_record_overdue" ON "usage_record" USING btree ("at");--> statement-breakpoint
-- No plan asks how often each word occurs in files, and to find out is most of what analyzing them takes.
ALTER TABLE "temporary_file_passage" ALTER COLUMN "words" SET STATISTICS 0;
