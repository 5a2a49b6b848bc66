import { z } from 'zod'
import 'zod-openapi'

/** Parses an integer query parameter. In the OpenAPI document, it is an integer and not a string. */
const integerParameter = (minimum: number, maximum: number, fallback: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be an integer' })
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum))
    .default(fallback)
    .meta({
      description,
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.pattern
        Object.assign(jsonSchema, { type: 'integer', minimum, maximum, default: fallback })
      },
    })

/** The query parameters of every list operation. */
export const pageQuery = {
  Offset: integerParameter(0, 999_999_999, 0, 'The number of items to skip.'),
  Limit: integerParameter(1, 200, 50, 'The maximum number of items to return.'),
}

/** Returns the schema of one page of a list, newest first. */
export function pageOf<Item extends z.ZodType>(item: Item, name: string) {
  return z
    .object({
      items: z.array(item).describe('The items on this page, newest first.'),
      totalCount: z.int().describe('The total number of items on all pages.'),
      offset: z.int().describe('The `Offset` of this page.'),
      limit: z.int().describe('The `Limit` of this page.'),
    })
    .meta({ id: `${name}Page`, description: `One page of a list of \`${name}\` objects.` })
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly totalCount: number
  readonly offset: number
  readonly limit: number
}
