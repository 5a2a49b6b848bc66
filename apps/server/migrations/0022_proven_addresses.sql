CREATE TABLE "sign_in_tries" (
	"key" text PRIMARY KEY NOT NULL,
	"person_id" uuid,
	"failures" integer NOT NULL,
	"wrong_codes" integer NOT NULL,
	"locked_until" timestamp(3) with time zone,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "person_email";--> statement-breakpoint
ALTER TABLE "person" ALTER COLUMN "failures" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "invitation" ADD COLUMN "invited_by_id" uuid;--> statement-breakpoint
ALTER TABLE "person" ADD COLUMN "proven_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "person" ADD COLUMN "home_organization_id" uuid;--> statement-breakpoint
ALTER TABLE "person" ADD COLUMN "wrong_codes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "person" ADD COLUMN "wrong_codes_since" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "person_identity" ADD COLUMN "verified_at" timestamp(3) with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "person_session" ADD COLUMN "wrong_codes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "person_session" ADD COLUMN "wrong_codes_since" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "sign_in_tries_person" ON "sign_in_tries" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "sign_in_tries_expiry" ON "sign_in_tries" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "person_address" ON "person" USING btree (lower(email));--> statement-breakpoint
CREATE UNIQUE INDEX "person_proven_address" ON "person" USING btree (lower(email)) WHERE proven_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "person_home_address" ON "person" USING btree (coalesce(home_organization_id, '00000000-0000-0000-0000-000000000000'),lower(email)) WHERE proven_at is null;--> statement-breakpoint
-- Nobody has proven an address so far. An account belongs to the organization that it joined first.
UPDATE "person" SET "home_organization_id" = (
	SELECT "organization_id" FROM "member" WHERE "member"."person_id" = "person"."id" ORDER BY "member"."id" LIMIT 1
);
