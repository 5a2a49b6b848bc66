CREATE TABLE "audit_key" (
	"id" text PRIMARY KEY NOT NULL,
	"sealed_key" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_chain" ADD COLUMN "bare_through" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_chain" ADD COLUMN "removed_through" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_chain" ADD COLUMN "removed_hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_chain" ADD COLUMN "sealed_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "audit_chain" ADD COLUMN "key_id" text;--> statement-breakpoint
ALTER TABLE "audit_chain" ADD COLUMN "seal" text;--> statement-breakpoint
ALTER TABLE "audit_record" ADD COLUMN "key_id" text;--> statement-breakpoint
-- A server of the version before leaves records unsealed from now on, and says so in its log, instead of sealing them
-- without a key: those that it has sealed are not looked at.
ALTER TABLE "audit_record" ADD CONSTRAINT "audit_record_sealed_with_key"
  CHECK (sequence IS NULL OR key_id IS NOT NULL) NOT VALID;
