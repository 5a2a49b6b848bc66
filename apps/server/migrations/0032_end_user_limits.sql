ALTER TABLE "agent" ADD COLUMN "end_user_limits" json DEFAULT '{}'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "realtime_session" ADD COLUMN "limited_id" uuid;--> statement-breakpoint
CREATE INDEX "realtime_session_limited" ON "realtime_session" USING btree ("limited_id") WHERE limited_id is not null and ended_at is null;