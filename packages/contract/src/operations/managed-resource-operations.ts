import { z } from 'zod'
import { nameInput } from '../field.js'
import { DryRunQuery } from '../managed-fields.js'
import { defineOperation } from '../operation.js'
import { type ResourceOptions, resourceOperations } from './resource-operations.js'

interface ManagedResourceOptions<
  Param extends string,
  ListQuery extends z.ZodType,
  Page extends z.ZodType,
  Input extends z.ZodType,
  Patch extends z.ZodType,
  Resource extends z.ZodType,
  Upsert extends z.ZodType,
  Upserted extends z.ZodType,
> extends Omit<ResourceOptions<Param, ListQuery, Page, Input, Patch, Resource>, 'changeErrors'> {
  readonly upsert: Upsert
  /** The response of an upsert: the resource, plus additional fields if it was created. */
  readonly upserted: Upserted
}

/**
 * Defines the operations of a resource that agents as code can manage. These are the six standard operations, whose writes
 * support dry runs, and the upsert by external ID.
 */
export function managedResourceOperations<
  Param extends string,
  ListQuery extends z.ZodType,
  Page extends z.ZodType,
  Input extends z.ZodType,
  Patch extends z.ZodType,
  Resource extends z.ZodType,
  Upsert extends z.ZodType,
  Upserted extends z.ZodType,
>(of: ManagedResourceOptions<Param, ListQuery, Page, Input, Patch, Resource, Upsert, Upserted>) {
  // Another resource may already use the external ID.
  const plain = resourceOperations({ ...of, changeErrors: ['Conflict'] })
  const noun = of.noun.replace(/^an? /, '')
  return {
    ...plain,
    create: defineOperation({ ...plain.create, query: DryRunQuery }),
    replace: defineOperation({ ...plain.replace, query: DryRunQuery }),
    patch: defineOperation({ ...plain.patch, query: DryRunQuery }),
    remove: defineOperation({ ...plain.remove, query: DryRunQuery }),
    upsert: defineOperation({
      operationId: `upsert${of.name}`,
      method: 'PUT',
      path: `/api/v1/${of.name}/external/{externalId}`,
      tag: of.name,
      summary: `Create or replace ${of.noun} by its external ID`,
      description: `Returns 201 if the ${noun} was created, and 200 if it was replaced. Concurrent requests are safe: there is at most one ${noun} per external ID. ${of.onReplace}`,
      scope: of.write,
      params: z.strictObject({
        externalId: nameInput(200).describe(`The ID of the ${noun} in the external system or in the files.`),
      }),
      query: DryRunQuery,
      body: of.upsert,
      outcome: `The created or updated ${noun}.`,
      status: 200,
      mayCreate: true,
      response: of.upserted,
      isConditional: true,
      hasETag: true,
      errors: ['Conflict'],
    }),
  }
}
