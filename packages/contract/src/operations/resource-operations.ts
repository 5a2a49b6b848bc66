import { z } from 'zod'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'
import type { ErrorCode } from '../problem.js'
import type { Scope } from '../scope.js'

export interface ResourceOptions<
  Param extends string,
  ListQuery extends z.ZodType,
  Page extends z.ZodType,
  Input extends z.ZodType,
  Patch extends z.ZodType,
  Resource extends z.ZodType,
> {
  /** The name of the resource in its path, for example `Agent`. */
  readonly name: string
  /** The noun with its article, for use in sentences: `an agent`. */
  readonly noun: string
  readonly param: Param
  readonly read: Scope
  readonly write: Scope
  readonly listQuery: ListQuery
  readonly page: Page
  readonly input: Input
  readonly patch: Patch
  readonly resource: Resource
  /** The description of replacing the resource. */
  readonly onReplace: string
  /** The description of deleting the resource. */
  readonly onDelete: string
  readonly changeErrors?: readonly ErrorCode[]
  readonly deleteErrors?: readonly ErrorCode[]
}

/** Defines the six standard operations of a resource: list, create, retrieve, replace, update and delete. */
export function resourceOperations<
  Param extends string,
  ListQuery extends z.ZodType,
  Page extends z.ZodType,
  Input extends z.ZodType,
  Patch extends z.ZodType,
  Resource extends z.ZodType,
>(of: ResourceOptions<Param, ListQuery, Page, Input, Patch, Resource>) {
  const collection = `/api/v1/${of.name}`
  const noun = of.noun.replace(/^an? /, '')
  const member = `${collection}/{${of.param}}`
  const params = z.strictObject({
    [of.param]: id().describe(`The ID of the ${noun}.`),
  } as Record<Param, z.ZodUUID>)
  const change = { tag: of.name, scope: of.write, errors: of.changeErrors ?? [] } as const
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
      response: of.page,
    }),
    create: defineOperation({
      ...change,
      operationId: `create${of.name}`,
      method: 'POST',
      path: collection,
      summary: `Create ${of.noun}`,
      body: of.input,
      outcome: `The created ${noun}.`,
      status: 201,
      response: of.resource,
      isIdempotent: true,
      hasETag: true,
    }),
    get: defineOperation({
      operationId: `get${of.name}`,
      method: 'GET',
      path: member,
      tag: of.name,
      summary: `Retrieve ${of.noun}`,
      scope: of.read,
      params,
      outcome: `The requested ${noun}.`,
      status: 200,
      response: of.resource,
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
      response: of.resource,
      isConditional: true,
      hasETag: true,
    }),
    patch: defineOperation({
      ...change,
      operationId: `patch${of.name}`,
      method: 'PATCH',
      path: member,
      summary: `Update ${of.noun}`,
      description:
        'Applies a JSON merge patch. Omitted fields keep their values, objects are merged, and arrays are replaced as a whole.',
      params,
      body: of.patch,
      outcome: `The updated ${noun}.`,
      status: 200,
      response: of.resource,
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
      outcome: `The ${noun} was deleted. The response has no body.`,
      status: 204,
      isConditional: true,
      errors: of.deleteErrors ?? [],
    }),
  }
}
