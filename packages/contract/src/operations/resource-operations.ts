import { z } from 'zod'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'
import type { ErrorCode } from '../problem.js'
import type { Scope } from '../scope.js'

export interface ResourceOperationsInput<
  Param extends string,
  ListQuery extends z.ZodType,
  Page extends z.ZodType,
  Input extends z.ZodType,
  Patch extends z.ZodType,
  Resource extends z.ZodType,
> {
  /** The name of the resource as in its path, for example `Agent`. */
  readonly name: string
  /** With its article, for sentences: `an agent`. */
  readonly noun: string
  readonly param: Param
  readonly read: Scope
  readonly write: Scope
  readonly listQuery: ListQuery
  readonly page: Page
  readonly input: Input
  readonly patch: Patch
  readonly resource: Resource
  /** Notes on replacing and deleting the resource. */
  readonly onReplace: string
  readonly onDelete: string
  readonly changeRefusals?: readonly ErrorCode[]
  readonly deleteRefusals?: readonly ErrorCode[]
}

/** The six operations of every resource: list, create, read, replace, patch, delete. */
export function resourceOperations<
  Param extends string,
  ListQuery extends z.ZodType,
  Page extends z.ZodType,
  Input extends z.ZodType,
  Patch extends z.ZodType,
  Resource extends z.ZodType,
>(of: ResourceOperationsInput<Param, ListQuery, Page, Input, Patch, Resource>) {
  const collection = `/api/v1/${of.name}`
  const noun = of.noun.replace(/^an? /, '')
  const member = `${collection}/{${of.param}}`
  const params = z.strictObject({
    [of.param]: id().describe(`The id of the ${noun}.`),
  } as Record<Param, z.ZodUUID>)
  const change = { tag: of.name, scope: of.write, refusals: of.changeRefusals ?? [] } as const
  return {
    list: defineOperation({
      operationId: `list${of.name}s`,
      method: 'GET',
      path: collection,
      tag: of.name,
      summary: `List ${noun}s`,
      scope: of.read,
      query: of.listQuery,
      outcome: `One page of the ${noun}s.`,
      status: 200,
      answer: of.page,
    }),
    create: defineOperation({
      ...change,
      operationId: `create${of.name}`,
      method: 'POST',
      path: collection,
      summary: `Create ${of.noun}`,
      body: of.input,
      outcome: `The stored ${noun}.`,
      status: 201,
      answer: of.resource,
      isIdempotent: true,
      hasETag: true,
    }),
    get: defineOperation({
      operationId: `get${of.name}`,
      method: 'GET',
      path: member,
      tag: of.name,
      summary: `Read ${of.noun}`,
      scope: of.read,
      params,
      outcome: `The stored ${noun}.`,
      status: 200,
      answer: of.resource,
      hasETag: true,
    }),
    replace: defineOperation({
      ...change,
      operationId: `replace${of.name}`,
      method: 'PUT',
      path: member,
      summary: `Replace ${of.noun}`,
      description: of.onReplace,
      params,
      body: of.input,
      outcome: `The updated ${noun}.`,
      status: 200,
      answer: of.resource,
      isConditional: true,
      hasETag: true,
    }),
    patch: defineOperation({
      ...change,
      operationId: `patch${of.name}`,
      method: 'PATCH',
      path: member,
      summary: `Change ${of.noun}`,
      description:
        'A merge patch: fields that are left out stay, objects are merged, arrays are replaced as a whole.',
      params,
      body: of.patch,
      outcome: `The updated ${noun}.`,
      status: 200,
      answer: of.resource,
      isConditional: true,
      hasETag: true,
    }),
    remove: defineOperation({
      operationId: `delete${of.name}`,
      method: 'DELETE',
      path: member,
      tag: of.name,
      summary: `Delete ${of.noun}`,
      description: of.onDelete,
      scope: of.write,
      params,
      outcome: `The ${noun} is deleted. The answer has no body.`,
      status: 204,
      isConditional: true,
      refusals: of.deleteRefusals ?? [],
    }),
  }
}
