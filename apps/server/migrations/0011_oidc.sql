CREATE TABLE "person_identity" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"person_id" uuid NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "person_identity_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "used_oidc_state" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "person" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "person_identity" ADD CONSTRAINT "person_identity_person_id_person_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."person"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "person_identity_person" ON "person_identity" USING btree ("person_id","issuer");--> statement-breakpoint
CREATE INDEX "used_oidc_state_expiry" ON "used_oidc_state" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "invitation_open" ON "invitation" USING btree ("organization_id","expires_at") WHERE accepted_at is null;--> statement-breakpoint
CREATE TRIGGER count_member AFTER INSERT OR DELETE ON member
  FOR EACH ROW EXECUTE FUNCTION count_stored_row('members');--> statement-breakpoint
-- Who is there already.
INSERT INTO stored_amount (organization_id, kind, shard, amount)
  SELECT organization_id, 'members', 0, count(*) FROM member GROUP BY organization_id;
