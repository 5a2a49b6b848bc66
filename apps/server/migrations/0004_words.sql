ALTER TABLE "message" RENAME COLUMN "session_id" TO "origin_id";--> statement-breakpoint
ALTER TABLE "message" RENAME COLUMN "place_microseconds" TO "position_microseconds";--> statement-breakpoint
ALTER TABLE "message" RENAME COLUMN "place_counter" TO "position_counter";--> statement-breakpoint
ALTER INDEX "message_place" RENAME TO "message_position";--> statement-breakpoint
ALTER INDEX "message_turn" RENAME TO "message_origin";--> statement-breakpoint
ALTER TABLE "approval" RENAME COLUMN "session_id" TO "origin_id";
