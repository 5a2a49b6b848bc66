CREATE TABLE "end_user" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"external_id" text NOT NULL,
	"name" text,
	"metadata" jsonb NOT NULL,
	"first_seen_at" timestamp(3) with time zone NOT NULL,
	"last_seen_at" timestamp(3) with time zone NOT NULL,
	"conversation_count" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent" ADD COLUMN "variables" json DEFAULT '[]'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "end_user_id" uuid;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "external_user_id" text;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "metadata" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "variables" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "external_user_id" text;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "metadata" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "variables" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "end_user" ADD CONSTRAINT "end_user_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "end_user_organization" ON "end_user" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "end_user_external_id" ON "end_user" USING btree ("organization_id","external_id");--> statement-breakpoint
CREATE INDEX "end_user_metadata" ON "end_user" USING gin ("metadata" jsonb_path_ops);--> statement-breakpoint
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_end_user_id_end_user_id_fk" FOREIGN KEY ("end_user_id") REFERENCES "public"."end_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_end_user" ON "conversation" USING btree ("end_user_id","id") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX "conversation_metadata" ON "conversation" USING gin ("metadata" jsonb_path_ops) WHERE metadata <> '{}';