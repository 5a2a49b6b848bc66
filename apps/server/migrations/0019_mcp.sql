CREATE TABLE "mcp_authorization" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"server_url" text NOT NULL,
	"client_id" text,
	"scope" text,
	"sealed_client_secret" text,
	"state" text NOT NULL,
	"issuer" text,
	"expires_at" timestamp(3) with time zone,
	"authorized_by" json,
	"failure" text,
	"state_hash" text,
	"started_by" text,
	"started_until" timestamp(3) with time zone,
	"sealed_start" text,
	"sealed_grant" text,
	"renewing_until" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "mcp_grant" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"client_name" text NOT NULL,
	"client_hash" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"scopes" json NOT NULL,
	"last_used_at" timestamp(3) with time zone,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"code_hash" text NOT NULL,
	"code_challenge" text NOT NULL,
	"code_expires_at" timestamp(3) with time zone NOT NULL,
	"code_used_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "mcp_grant_token" (
	"hash" text PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"used_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "agent" ADD COLUMN "mcp_tool" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_authorization" ADD CONSTRAINT "mcp_authorization_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_grant" ADD CONSTRAINT "mcp_grant_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_grant" ADD CONSTRAINT "mcp_grant_person_id_person_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."person"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_grant_token" ADD CONSTRAINT "mcp_grant_token_grant_id_mcp_grant_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."mcp_grant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mcp_authorization_organization" ON "mcp_authorization" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "mcp_authorization_server" ON "mcp_authorization" USING btree ("organization_id","server_url");--> statement-breakpoint
CREATE UNIQUE INDEX "mcp_grant_code" ON "mcp_grant" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "mcp_grant_person" ON "mcp_grant" USING btree ("person_id","id");--> statement-breakpoint
CREATE INDEX "mcp_grant_organization" ON "mcp_grant" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "mcp_grant_token_grant" ON "mcp_grant_token" USING btree ("grant_id");