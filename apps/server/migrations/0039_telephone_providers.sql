ALTER TABLE "phone_connection" ADD COLUMN "sip" json;--> statement-breakpoint
ALTER TABLE "phone_connection" ADD COLUMN "sealed_webhook_secret" text;--> statement-breakpoint
ALTER TABLE "phone_connection" ADD COLUMN "line_instance_id" uuid;