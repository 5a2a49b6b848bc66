CREATE TABLE "end_user_fact" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"end_user_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"text" text NOT NULL,
	"conversation_id" uuid
);
--> statement-breakpoint
CREATE TABLE "memory_plan" (
	"conversation_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"due_at" timestamp(3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"through_microseconds" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent" ADD COLUMN "memory" text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE "end_user_fact" ADD CONSTRAINT "end_user_fact_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "end_user_fact" ADD CONSTRAINT "end_user_fact_end_user_id_end_user_id_fk" FOREIGN KEY ("end_user_id") REFERENCES "public"."end_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "end_user_fact" ADD CONSTRAINT "end_user_fact_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memory_plan" ADD CONSTRAINT "memory_plan_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "end_user_fact_organization" ON "end_user_fact" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "end_user_fact_end_user" ON "end_user_fact" USING btree ("end_user_id","agent_id","updated_at");--> statement-breakpoint
CREATE INDEX "memory_plan_due" ON "memory_plan" USING btree ("due_at");