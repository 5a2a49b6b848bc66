CREATE TABLE "mcp_listing" (
	"agent_id" uuid NOT NULL,
	"tool_name" text NOT NULL,
	"address" text NOT NULL,
	"tools" json NOT NULL,
	"listed_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "mcp_listing_agent_id_tool_name_pk" PRIMARY KEY("agent_id","tool_name")
);
--> statement-breakpoint
ALTER TABLE "mcp_listing" ADD CONSTRAINT "mcp_listing_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE no action ON UPDATE no action;