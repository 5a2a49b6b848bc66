CREATE TABLE "conversation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"agent_id" uuid NOT NULL,
	"title" text,
	"message_count" integer NOT NULL,
	"last_message_at" timestamp(3) with time zone,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "instance_lease" (
	"instance_id" uuid PRIMARY KEY NOT NULL,
	"renewed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"session_id" uuid,
	"item_id" text NOT NULL,
	"content_index" integer NOT NULL,
	"place_microseconds" bigint NOT NULL,
	"place_counter" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"role" text NOT NULL,
	"content" text NOT NULL,
	"channel" text NOT NULL,
	"interrupted" boolean NOT NULL,
	"failure" text,
	"call_id" text,
	"name" text,
	"arguments" text,
	"status" integer,
	"execution_time_seconds" double precision
);
--> statement-breakpoint
CREATE TABLE "realtime_session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"agent_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"state" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"started_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"end_reason" text,
	"end_requested_at" timestamp(3) with time zone,
	"instance_id" uuid,
	"usage" json NOT NULL,
	"setup" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message" ADD CONSTRAINT "message_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "realtime_session" ADD CONSTRAINT "realtime_session_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "realtime_session" ADD CONSTRAINT "realtime_session_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "realtime_session" ADD CONSTRAINT "realtime_session_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_organization" ON "conversation" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "conversation_agent" ON "conversation" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "message_place" ON "message" USING btree ("conversation_id","place_microseconds","place_counter");--> statement-breakpoint
CREATE UNIQUE INDEX "message_turn" ON "message" USING btree ("session_id","item_id","content_index");--> statement-breakpoint
CREATE INDEX "realtime_session_organization" ON "realtime_session" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "realtime_session_token" ON "realtime_session" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "realtime_session_running" ON "realtime_session" USING btree ("instance_id") WHERE state = 'consumed' and ended_at is null;