CREATE TABLE "agent" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"system_message" text NOT NULL,
	"connection_id" uuid,
	"model" text,
	"realtime_model" text,
	"voice" text,
	"icon" text,
	"icon_color" text,
	"image_url" text,
	"tools" json NOT NULL,
	"tool_secrets" json NOT NULL,
	"sub_agent_ids" json NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "api_key" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"scopes" json NOT NULL,
	"expires_at" timestamp(3) with time zone,
	"last_used_at" timestamp(3) with time zone,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_chain" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_record" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text,
	"actor_name" text,
	"action" text NOT NULL,
	"resource_type" text,
	"resource_id" text,
	"outcome" text NOT NULL,
	"ip_address" text,
	"request_id" text,
	"details" json NOT NULL,
	"canonical" text NOT NULL,
	"sequence" bigint,
	"hash" text
);
--> statement-breakpoint
CREATE TABLE "connection" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"base_url" text,
	"sealed_api_key" text,
	"models" json NOT NULL,
	"realtime_enabled" boolean NOT NULL,
	"governance_disabled" boolean NOT NULL,
	"is_default" boolean NOT NULL,
	"is_from_environment" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_key" (
	"organization_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"answer" json,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "idempotency_key_organization_id_key_pk" PRIMARY KEY("organization_id","key")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"id" integer PRIMARY KEY NOT NULL,
	"secret_check" text NOT NULL,
	"first_organization_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "organization" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "task" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"agent_id" uuid,
	"conversation_id" uuid,
	"external_id" text,
	"priority" text NOT NULL,
	"due_at" timestamp(3) with time zone,
	"run_at" timestamp(3) with time zone,
	"result" text
);
--> statement-breakpoint
ALTER TABLE "agent" ADD CONSTRAINT "agent_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent" ADD CONSTRAINT "agent_connection_id_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connection"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection" ADD CONSTRAINT "connection_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task" ADD CONSTRAINT "task_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task" ADD CONSTRAINT "task_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_organization" ON "agent" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "agent_connection" ON "agent" USING btree ("connection_id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_prefix" ON "api_key" USING btree ("prefix");--> statement-breakpoint
CREATE INDEX "api_key_organization" ON "api_key" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "audit_record_organization" ON "audit_record" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_record_sequence" ON "audit_record" USING btree ("organization_id","sequence");--> statement-breakpoint
CREATE INDEX "audit_record_unsealed" ON "audit_record" USING btree ("organization_id","id") WHERE sequence is null;--> statement-breakpoint
CREATE INDEX "connection_organization" ON "connection" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "connection_default" ON "connection" USING btree ("organization_id") WHERE is_default;--> statement-breakpoint
CREATE INDEX "idempotency_key_created" ON "idempotency_key" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "task_organization" ON "task" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "task_status" ON "task" USING btree ("organization_id","status");--> statement-breakpoint
CREATE UNIQUE INDEX "task_external_id" ON "task" USING btree ("organization_id","external_id");