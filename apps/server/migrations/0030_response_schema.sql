ALTER TABLE "task" ADD COLUMN "response_schema" json;--> statement-breakpoint
ALTER TABLE "task" ADD COLUMN "output" json;--> statement-breakpoint
ALTER TABLE "turn" ADD COLUMN "response_schema" json;