CREATE TABLE "audit_changeover" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"unsigned_through" bigint NOT NULL,
	"unsigned_until" timestamp(3) with time zone NOT NULL,
	"key_id" text NOT NULL,
	"seal" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_record" ADD COLUMN "signature" text;--> statement-breakpoint
ALTER TABLE "audit_record" ADD COLUMN "sealed_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "audit_record" ADD COLUMN "seal_proof" text;
--> statement-breakpoint
-- An instance of the version before can no longer seal: it checks no signatures and states no time of sealing. It leaves
-- records unsealed, logs that, and an instance of this version seals them. Earlier records are not checked.
ALTER TABLE "audit_record" ADD CONSTRAINT "audit_record_sealed_with_time"
  CHECK (sequence IS NULL OR sealed_at IS NOT NULL) NOT VALID;
