CREATE TABLE "approval" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"conversation_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"call_id" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"tool" text NOT NULL,
	"arguments" text NOT NULL,
	"call" json NOT NULL,
	"state" text NOT NULL,
	"deadline" timestamp(3) with time zone NOT NULL,
	"decided_by" json,
	"decided_at" timestamp(3) with time zone,
	"reason" text,
	"session_id" uuid,
	"claimed_by" uuid,
	"finished_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "mcp_listing" (
	"agent_id" uuid NOT NULL,
	"tool_name" text NOT NULL,
	"address" text NOT NULL,
	"tools" json NOT NULL,
	"listed_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "mcp_listing_agent_id_tool_name_pk" PRIMARY KEY("agent_id","tool_name")
);
--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval" ADD CONSTRAINT "approval_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_listing" ADD CONSTRAINT "mcp_listing_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approval_organization" ON "approval" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "approval_message" ON "approval" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "approval_conversation" ON "approval" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "approval_due" ON "approval" USING btree ("state","deadline") WHERE finished_at is null;