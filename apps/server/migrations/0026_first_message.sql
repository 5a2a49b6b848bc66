ALTER TABLE "agent" ADD COLUMN "first_message" text;--> statement-breakpoint
ALTER TABLE "agent" ADD COLUMN "example_questions" json DEFAULT '[]'::json NOT NULL;