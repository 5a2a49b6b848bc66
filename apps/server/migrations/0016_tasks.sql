ALTER TABLE "task" ADD COLUMN "schedule" text;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "max_attempts" integer DEFAULT 3 NOT NULL;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "run_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "run_deadline_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "source_conversation_id" uuid;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "turn_id" uuid;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "status_detail" text;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "run_started_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "next_run_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "missed_runs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "turn" ADD COLUMN "task_id" uuid;--> statement-breakpoint
CREATE INDEX "message_unknown_call" ON "message" USING btree ("conversation_id","name") WHERE status = 2 and failure is not null;--> statement-breakpoint
CREATE INDEX "task_due" ON "task" USING btree ("next_run_at") WHERE next_run_at is not null;--> statement-breakpoint
CREATE INDEX "task_running" ON "task" USING btree ("turn_id") WHERE run_started_at is not null and next_run_at is null;--> statement-breakpoint
UPDATE "task" SET "source_conversation_id" = "conversation_id" WHERE "conversation_id" IS NOT NULL;
