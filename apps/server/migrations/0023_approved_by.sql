ALTER TABLE "approval" ADD COLUMN "approved_by" text DEFAULT 'either' NOT NULL;--> statement-breakpoint
-- Tools that were stored before there was a choice. As text, so that their fields keep their order.
UPDATE "agent" SET "tools" = (
  SELECT json_agg(regexp_replace(each.value::text, '^\s*\{', '{"approvedBy":"either",')::json ORDER BY each.ordinality)
  FROM json_array_elements("agent"."tools") WITH ORDINALITY AS each(value, ordinality)
) WHERE json_array_length("tools") > 0;
