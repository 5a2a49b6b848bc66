import { z } from 'zod'
import { writtenName } from '../field.js'
import { DryRunQuery } from '../kept-in-files.js'
import { defineOperation } from '../operation.js'
import { type ResourceOperationsInput, resourceOperations } from './resource-operations.js'

interface KeptResourceOperationsInput<
  Param extends string,
  ListQuery extends z.ZodType,
  Page extends z.ZodType,
  Input extends z.ZodType,
  Patch extends z.ZodType,
  Resource extends z.ZodType,
  Upsert extends z.ZodType,
  Upserted extends z.ZodType,
> extends Omit<ResourceOperationsInput<Param, ListQuery, Page, Input, Patch, Resource>, 'changeRefusals'> {
  readonly upsert: Upsert
  /** What an upsert answers: the resource, and what is told of a new one besides. */
  readonly upserted: Upserted
}

/**
 * The calls of a resource that can be kept in files: the six that every one has, whose writes can be tried, and the
 * upsert by its external id.
 */
export function keptResourceOperations<
  Param extends string,
  ListQuery extends z.ZodType,
  Page extends z.ZodType,
  Input extends z.ZodType,
  Patch extends z.ZodType,
  Resource extends z.ZodType,
  Upsert extends z.ZodType,
  Upserted extends z.ZodType,
>(of: KeptResourceOperationsInput<Param, ListQuery, Page, Input, Patch, Resource, Upsert, Upserted>) {
  // Another one may have the external id.
  const plain = resourceOperations({ ...of, changeRefusals: ['Conflict'] })
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
      summary: `Create or replace ${of.noun} by its external id`,
      description: `Answers 201 where it created the ${noun}, 200 where it replaced it. Safe to call at the same time from several places: one ${noun} per external id. ${of.onReplace}`,
      scope: of.write,
      params: z.strictObject({
        externalId: writtenName(200).describe(`The ${noun}'s id in the other system, or in its file.`),
      }),
      query: DryRunQuery,
      body: of.upsert,
      outcome: `The ${noun}, as it is stored.`,
      status: 200,
      mayCreate: true,
      answer: of.upserted,
      isConditional: true,
      hasETag: true,
      refusals: ['Conflict'],
    }),
  }
}
