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
  /** The answer of an upsert: the resource, and extra fields of a new one. */
  readonly upserted: Upserted
}

/**
 * The operations of a resource that agents as code can manage: the usual six, whose writes support dry runs, and the upsert
 * by external id.
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
  // The external id may be taken.
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
      description: `Answers 201 if it created the ${noun}, 200 if it replaced it. Safe to call concurrently: there is one ${noun} per external id. ${of.onReplace}`,
      scope: of.write,
      params: z.strictObject({
        externalId: writtenName(200).describe(`The ${noun}'s id in the other system or in its file.`),
      }),
      query: DryRunQuery,
      body: of.upsert,
      outcome: `The stored ${noun}.`,
      status: 200,
      mayCreate: true,
      answer: of.upserted,
      isConditional: true,
      hasETag: true,
      refusals: ['Conflict'],
    }),
  }
}
