CREATE TABLE "conversation_file" (
	"conversation_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"given_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "conversation_file_conversation_id_file_id_pk" PRIMARY KEY("conversation_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "temporary_file" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"character_count" integer NOT NULL,
	"completed_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "temporary_file_chunk" (
	"file_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "temporary_file_chunk_file_id_position_pk" PRIMARY KEY("file_id","position")
);
--> statement-breakpoint
CREATE TABLE "temporary_file_passage" (
	"file_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"label" text,
	"content" text NOT NULL,
	"words" "tsvector" GENERATED ALWAYS AS (to_tsvector('english', content)) STORED,
	CONSTRAINT "temporary_file_passage_file_id_position_pk" PRIMARY KEY("file_id","position")
);
--> statement-breakpoint
CREATE TABLE "conversation_summary" (
	"conversation_id" uuid PRIMARY KEY NOT NULL,
	"content" text NOT NULL,
	"through_microseconds" bigint NOT NULL,
	"through_counter" integer NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "turn" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	"conversation_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"state" text NOT NULL,
	"question" text NOT NULL,
	"file_ids" json NOT NULL,
	"additional_instructions" text,
	"question_message_id" uuid NOT NULL,
	"answer_message_id" uuid NOT NULL,
	"instance_id" uuid NOT NULL,
	"idempotency_key" text,
	"stop_requested_at" timestamp(3) with time zone,
	"started_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"answer" text,
	"failure" text,
	"usage" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "turn_event" (
	"turn_id" uuid NOT NULL,
	"sequence" integer NOT NULL,
	"event" text NOT NULL,
	CONSTRAINT "turn_event_turn_id_sequence_pk" PRIMARY KEY("turn_id","sequence")
);
--> statement-breakpoint
ALTER TABLE "connection" ADD COLUMN "chat_connection_id" uuid;--> statement-breakpoint
ALTER TABLE "conversation_file" ADD CONSTRAINT "conversation_file_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_file" ADD CONSTRAINT "conversation_file_file_id_temporary_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."temporary_file"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "temporary_file" ADD CONSTRAINT "temporary_file_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "temporary_file_chunk" ADD CONSTRAINT "temporary_file_chunk_file_id_temporary_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."temporary_file"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "temporary_file_passage" ADD CONSTRAINT "temporary_file_passage_file_id_temporary_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."temporary_file"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_summary" ADD CONSTRAINT "conversation_summary_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turn" ADD CONSTRAINT "turn_organization_id_organization_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organization"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turn" ADD CONSTRAINT "turn_conversation_id_conversation_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversation"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turn" ADD CONSTRAINT "turn_agent_id_agent_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agent"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turn_event" ADD CONSTRAINT "turn_event_turn_id_turn_id_fk" FOREIGN KEY ("turn_id") REFERENCES "public"."turn"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_file_file" ON "conversation_file" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "temporary_file_organization" ON "temporary_file" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "temporary_file_expiry" ON "temporary_file" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "temporary_file_passage_words" ON "temporary_file_passage" USING gin ("words");--> statement-breakpoint
CREATE UNIQUE INDEX "turn_position" ON "turn" USING btree ("conversation_id","position");--> statement-breakpoint
CREATE INDEX "turn_unfinished" ON "turn" USING btree ("instance_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "turn_ended" ON "turn" USING btree ("ended_at");--> statement-breakpoint
ALTER TABLE "connection" ADD CONSTRAINT "connection_chat_connection_id_connection_id_fk" FOREIGN KEY ("chat_connection_id") REFERENCES "public"."connection"("id") ON DELETE no action ON UPDATE no action;