ALTER TABLE "agent" ADD COLUMN "conversation_retention_days" integer;--> statement-breakpoint
ALTER TABLE "conversation" ADD COLUMN "removal_requested_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "end_user" ADD COLUMN "erasure_started_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "idempotency_key" ADD COLUMN "subject_id" uuid;--> statement-breakpoint
ALTER TABLE "organization" ADD COLUMN "conversation_retention_days" integer;--> statement-breakpoint
CREATE INDEX "conversation_agent_age" ON "conversation" USING btree ("agent_id","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "conversation_removal" ON "conversation" USING btree ("removal_requested_at","id") WHERE removal_requested_at is not null;--> statement-breakpoint
CREATE INDEX "end_user_erasure" ON "end_user" USING btree ("id") WHERE erasure_started_at is not null;--> statement-breakpoint
CREATE INDEX "idempotency_key_subject" ON "idempotency_key" USING btree ("subject_id") WHERE subject_id is not null;--> statement-breakpoint
CREATE INDEX "task_external_user" ON "task" USING btree ("organization_id","external_user_id") WHERE external_user_id is not null;--> statement-breakpoint
CREATE INDEX "task_conversation" ON "task" USING btree ("conversation_id") WHERE conversation_id is not null;--> statement-breakpoint
CREATE INDEX "task_source_conversation" ON "task" USING btree ("source_conversation_id") WHERE source_conversation_id is not null;--> statement-breakpoint
CREATE INDEX "webhook_delivery_subject" ON "webhook_delivery" USING btree ("order_key");--> statement-breakpoint
CREATE INDEX "webhook_event_subject" ON "webhook_event" USING btree ("order_key");