ALTER TABLE "task" DROP COLUMN "run_at";--> statement-breakpoint
-- Scopes that no call needs any more, or ever did; reading the audit log is all that audit:write has allowed.
UPDATE "api_key" SET "scopes" = (
  SELECT coalesce(json_agg(scope ORDER BY place), '[]'::json)
  FROM (
    SELECT replace(held.scope, 'audit:write', 'audit:read') AS scope, min(held.place) AS place
    FROM json_array_elements_text("api_key"."scopes") WITH ORDINALITY AS held(scope, place)
    WHERE held.scope NOT IN ('usage:read', 'usage:write', 'webhook:read', 'webhook:write')
    GROUP BY 1
  ) AS kept
) WHERE "scopes"::text ~ '(usage|webhook):|audit:write';
