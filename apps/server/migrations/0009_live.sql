CREATE INDEX "approval_changed" ON "approval" USING btree ("organization_id","updated_at");--> statement-breakpoint
CREATE INDEX "message_changed" ON "message" USING btree ("organization_id","updated_at");--> statement-breakpoint
CREATE INDEX "realtime_session_changed" ON "realtime_session" USING btree ("organization_id","updated_at");--> statement-breakpoint
CREATE INDEX "turn_changed" ON "turn" USING btree ("organization_id","updated_at");