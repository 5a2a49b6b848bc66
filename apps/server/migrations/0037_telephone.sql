CREATE TABLE "phone_call" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"direction" text NOT NULL,
	"from_number" text,
	"to_number" text,
	"state" text NOT NULL,
	"end_reason" text,
	"end_detail" text,
	"phone_connection_id" uuid NOT NULL,
	"phone_number_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"conversation_id" uuid,
	"realtime_session_id" uuid,
	"end_user_id" uuid,
	"api_key_id" uuid,
	"provider_call_id" text,
	"answered_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"instance_id" uuid,
	"token_hash" text,
	"end_requested_at" timestamp(3) with time zone,
	"setup" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "phone_connection" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"account_id" text NOT NULL,
	"base_url" text,
	"sealed_secret" text,
	"is_enabled" boolean NOT NULL,
	"max_calls" integer NOT NULL,
	"allowed_prefixes" text[] NOT NULL,
	"max_calls_per_hour" integer NOT NULL,
	"quiet_hours" json,
	"failure" text,
	"checked_at" timestamp(3) with time zone,
	"external_id" text,
	"managed_by" text
);
--> statement-breakpoint
CREATE TABLE "phone_number" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"name" text NOT NULL,
	"number" text NOT NULL,
	"phone_connection_id" uuid,
	"agent_id" uuid,
	"greeting" text,
	"turn_detection" json NOT NULL,
	"allowed_callers" text[] NOT NULL,
	"blocked_callers" text[] NOT NULL,
	"transfer_targets" json NOT NULL,
	"is_enabled" boolean NOT NULL,
	"external_id" text,
	"managed_by" text
);
--> statement-breakpoint
ALTER TABLE "phone_call" ADD CONSTRAINT "phone_call_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_connection" ADD CONSTRAINT "phone_connection_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_number" ADD CONSTRAINT "phone_number_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_number" ADD CONSTRAINT "phone_number_phone_connection_id_phone_connection_id_fk" FOREIGN KEY ("phone_connection_id") REFERENCES "public"."phone_connection"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "phone_call_organization" ON "phone_call" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "phone_call_conversation" ON "phone_call" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "phone_call_ended" ON "phone_call" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "phone_call_outgoing" ON "phone_call" USING btree ("phone_connection_id","created_at") WHERE direction = 'outgoing';--> statement-breakpoint
CREATE INDEX "phone_call_open" ON "phone_call" USING btree ("phone_connection_id") WHERE ended_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "phone_call_provider" ON "phone_call" USING btree ("phone_connection_id","provider_call_id");--> statement-breakpoint
CREATE UNIQUE INDEX "phone_call_token" ON "phone_call" USING btree ("token_hash") WHERE token_hash is not null;--> statement-breakpoint
CREATE INDEX "phone_call_caller" ON "phone_call" USING btree ("organization_id","from_number") WHERE conversation_id is null;--> statement-breakpoint
CREATE INDEX "phone_connection_organization" ON "phone_connection" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "phone_connection_external_id" ON "phone_connection" USING btree ("organization_id","external_id");--> statement-breakpoint
CREATE INDEX "phone_number_organization" ON "phone_number" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "phone_number_number" ON "phone_number" USING btree ("phone_connection_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "phone_number_external_id" ON "phone_number" USING btree ("organization_id","external_id");