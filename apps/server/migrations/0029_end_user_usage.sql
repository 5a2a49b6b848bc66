ALTER TABLE "realtime_session" ADD COLUMN "end_user_id" uuid;--> statement-breakpoint
ALTER TABLE "turn" ADD COLUMN "end_user_id" uuid;--> statement-breakpoint
ALTER TABLE "usage_record" ADD COLUMN "end_user_id" uuid;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD COLUMN "end_user_id" uuid;--> statement-breakpoint
CREATE INDEX "turn_end_user" ON "turn" USING btree ("end_user_id","created_at") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX "usage_record_end_user" ON "usage_record" USING btree ("end_user_id","at") WHERE end_user_id is not null;--> statement-breakpoint
CREATE INDEX "webhook_delivery_end_user" ON "webhook_delivery" USING btree ("end_user_id") WHERE end_user_id is not null and body is not null;