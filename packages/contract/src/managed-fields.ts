import { z } from 'zod'
import { nonBlankText } from './field.js'

/** The ID of a resource in an external system, or in the files of agents as code. */
export const ExternalId = nonBlankText(200)

export const externalIdField = () =>
  ExternalId.nullable()
    .default(null)
    .describe(
      'The ID of the resource in an external system. It must be unique within the organization. `null` if there is none.',
    )

/** The fields of resources that agents as code can manage. */
export const managedFields = {
  externalId: externalIdField(),
  managedBy: nonBlankText(100)
    .nullable()
    .default(null)
    .describe(
      'The name of the file set that manages this resource, set by `parley apply`, or `null`. `parley apply --prune` deletes the managed resources that are no longer in the files.',
    ),
}

/** The query parameter of write operations that support dry runs. */
export const DryRunQuery = z.strictObject({
  DryRun: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe(
      'If `true`, validates the request and returns the result, including errors, without saving anything. No audit record or event is created, and the response has no `ETag`. The ID and timestamps of a new resource are placeholders.',
    ),
})

export type DryRunQuery = z.output<typeof DryRunQuery>

/** The response header of a dry run that lists the changed fields. */
export const changedFieldsHeader = 'Parley-Changed'
