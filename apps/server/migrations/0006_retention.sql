CREATE INDEX "approval_finished" ON "approval" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "conversation_deleted" ON "conversation" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "realtime_session_conversation" ON "realtime_session" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "realtime_session_ended" ON "realtime_session" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "realtime_session_unused" ON "realtime_session" USING btree ("expires_at") WHERE state = 'issued';--> statement-breakpoint
CREATE INDEX "temporary_file_unfinished" ON "temporary_file" USING btree ("created_at") WHERE completed_at is null;