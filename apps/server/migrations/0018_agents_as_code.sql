ALTER TABLE "agent" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "agent" ADD COLUMN "managed_by" text;--> statement-breakpoint
ALTER TABLE "connection" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "connection" ADD COLUMN "managed_by" text;--> statement-breakpoint
ALTER TABLE "budget" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "budget" ADD COLUMN "managed_by" text;--> statement-breakpoint
ALTER TABLE "webhook" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "webhook" ADD COLUMN "managed_by" text;--> statement-breakpoint
CREATE UNIQUE INDEX "agent_external_id" ON "agent" USING btree ("organization_id","external_id") WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "connection_external_id" ON "connection" USING btree ("organization_id","external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "budget_external_id" ON "budget" USING btree ("organization_id","external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_external_id" ON "webhook" USING btree ("organization_id","external_id");