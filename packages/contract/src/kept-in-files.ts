import { z } from 'zod'
import { nonBlankText } from './field.js'

/** A name that a resource has in another system, or in the files that it is kept in. */
export const ExternalId = nonBlankText(200)

export const externalIdField = () =>
  ExternalId.nullable().default(null).describe('Its id in another system, unique in the organization.')

/** What resources have that can be kept in files. */
export const keptFields = {
  externalId: externalIdField(),
  managedBy: nonBlankText(100)
    .nullable()
    .default(null)
    .describe(
      'The set of files that it is kept in, as `parley apply` notes it; null: in none. What a set no longer names is deleted by `parley apply --prune`, and nothing else is.',
    ),
}

/** The query of writes that can be tried. */
export const DryRunQuery = z.strictObject({
  DryRun: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe(
      'With `true` the answer tells what would be, refusals included, and nothing changes: no row, no audit record, no event. It has no `ETag`; the id of something new and its times are made up.',
    ),
})

export type DryRunQuery = z.output<typeof DryRunQuery>

/** In which header the answer to a dry run names the fields that would change. */
export const changedFieldsHeader = 'Parley-Changed'
