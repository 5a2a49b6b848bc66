import { z } from 'zod'
import 'zod-openapi'

/** A number as a query string spells it; the reference shows it as the integer it means. */
const wholeNumber = (minimum: number, maximum: number, fallback: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
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

/** The query parameters of every list. */
export const pageQuery = {
  Offset: wholeNumber(0, 999_999_999, 0, 'The number of items to skip.'),
  Limit: wholeNumber(1, 200, 50, 'The maximum number of items.'),
}

/** One page of a list, newest first. */
export function pageOf<Item extends z.ZodType>(item: Item, name: string) {
  return z
    .object({
      items: z.array(item).describe('The items of this page, newest first.'),
      totalCount: z.int().describe('The number of items on all pages.'),
      offset: z.int().describe('The Offset that was applied.'),
      limit: z.int().describe('The Limit that was applied.'),
    })
    .meta({ id: `${name}Page`, description: `One page of a list of ${name} items.` })
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly totalCount: number
  readonly offset: number
  readonly limit: number
}
