CREATE TABLE "agent_revision" (
	"agent_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"actor" json,
	"changed" json NOT NULL,
	"restored_from" integer,
	"agent" json NOT NULL,
	"tool_secrets" json NOT NULL,
	CONSTRAINT "agent_revision_agent_id_number_pk" PRIMARY KEY("agent_id","number")
);
--> statement-breakpoint
ALTER TABLE "agent_revision" ADD CONSTRAINT "agent_revision_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_revision" ADD CONSTRAINT "agent_revision_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_words" ON "message" USING gin ((to_tsvector('simple', translate(left(content, 250), '-+/.@:&<', '        ')) || array_to_tsvector(array['/' || organization_id::text]))) WITH (gin_pending_list_limit=64) WHERE role in ('user', 'assistant');--> statement-breakpoint
-- Nobody asks how often a word is said, and to find out would take seconds of the embedded database at every analysis.
ALTER INDEX "message_words" ALTER COLUMN 1 SET STATISTICS 0;
