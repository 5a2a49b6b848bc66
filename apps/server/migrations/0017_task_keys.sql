ALTER TABLE "task" ADD COLUMN "planned_by_key_id" uuid;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "run_by_key_id" uuid;