import { z } from 'zod'
import { nonBlankText } from './field.js'

/** The name of a resource in another system or in the files of agents as code. */
export const ExternalId = nonBlankText(200)

export const externalIdField = () =>
  ExternalId.nullable().default(null).describe('The id in another system, unique in the organization.')

/** The fields of resources that agents as code can manage. */
export const keptFields = {
  externalId: externalIdField(),
  managedBy: nonBlankText(100)
    .nullable()
    .default(null)
    .describe(
      'The set of files that manages this resource, recorded by `parley apply`. Null: none. `parley apply --prune` deletes only resources that their set no longer contains.',
    ),
}

/** The query parameter of writes that support a dry run. */
export const DryRunQuery = z.strictObject({
  DryRun: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe(
      'With `true`, the answer shows the result of the call, including errors, but nothing is changed: no row, no audit record, no event. It has no `ETag`. The id and times of a new resource are made up.',
    ),
})

export type DryRunQuery = z.output<typeof DryRunQuery>

/** The header of a dry run's answer that names the changed fields. */
export const changedFieldsHeader = 'Parley-Changed'
