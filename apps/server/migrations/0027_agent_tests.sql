CREATE TABLE "agent_test" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"agent_id" uuid NOT NULL,
	"name" text NOT NULL,
	"definition" text NOT NULL,
	"tests" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_test_result" (
	"run_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"test_id" uuid NOT NULL,
	"name" text NOT NULL,
	"verdict" text NOT NULL,
	"previous_verdict" text,
	"passed" integer NOT NULL,
	"required" integer NOT NULL,
	"repetitions" integer NOT NULL,
	"duration_milliseconds" integer NOT NULL,
	"reason" text,
	"unmet" json NOT NULL,
	"transcript" json NOT NULL,
	CONSTRAINT "agent_test_result_run_id_position_pk" PRIMARY KEY("run_id","position")
);
--> statement-breakpoint
CREATE TABLE "agent_test_run" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"agent_id" uuid NOT NULL,
	"actor" json NOT NULL,
	"state" text NOT NULL,
	"failure" text,
	"ended_at" timestamp(3) with time zone,
	"judge_agent_id" uuid,
	"user_agent_id" uuid,
	"test_count" integer NOT NULL,
	"instance_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent_test" ADD CONSTRAINT "agent_test_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_test" ADD CONSTRAINT "agent_test_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_test_result" ADD CONSTRAINT "agent_test_result_run_id_agent_test_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."agent_test_run"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_test_run" ADD CONSTRAINT "agent_test_run_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_test_run" ADD CONSTRAINT "agent_test_run_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_test_organization" ON "agent_test" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "agent_test_agent" ON "agent_test" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "agent_test_run_organization" ON "agent_test_run" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "agent_test_run_agent" ON "agent_test_run" USING btree ("agent_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "agent_test_run_running" ON "agent_test_run" USING btree ("agent_id") WHERE state = 'running';