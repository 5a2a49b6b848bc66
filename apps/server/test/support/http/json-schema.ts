import type { Operation } from '@parley/contract'
import { buildOpenApi } from '@parley/contract/openapi'

/** The part of JSON Schema that the contract uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[] | undefined
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly readOnly?: boolean
  readonly enum?: readonly string[]
  readonly const?: string
  readonly pattern?: string
  readonly format?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
}

/** A schema that has at most one type. */
export type Alternative = JsonSchema & { readonly type?: string | undefined }

export interface QueryParameter {
  readonly name: string
  readonly schema: JsonSchema
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

interface DocumentedOperation {
  readonly parameters?: readonly (QueryParameter & { readonly in: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

// Copied through its JSON text, which is what callers see.
const document: Document = JSON.parse(JSON.stringify(buildOpenApi('0.0.0')))

function documented({ path, method }: Operation): DocumentedOperation {
  return document.paths[path]?.[method.toLowerCase()] ?? {}
}

export function bodySchemaOf(operation: Operation): JsonSchema {
  return documented(operation).requestBody?.content['application/json']?.schema ?? {}
}

export function queryParametersOf(operation: Operation): readonly QueryParameter[] {
  return documented(operation).parameters?.filter((parameter) => parameter.in === 'query') ?? []
}

/** Whether the operation returns a page of a list. */
export function isPaged(operation: Operation): boolean {
  return queryParametersOf(operation).some(({ name }) => name === 'Offset')
}

/** Returns the plain schemas that a value may match, with references resolved and unions split. */
export function alternativesOf(schema: JsonSchema): Alternative[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/components/schemas/', '')
    return alternativesOf(document.components.schemas[name] ?? {})
  }
  const members = schema.anyOf ?? schema.oneOf
  if (members) return members.flatMap(alternativesOf)
  const { type } = schema
  return (typeof type === 'string' || type === undefined ? [type] : type).map((each) => ({
    ...schema,
    type: each,
  }))
}

/** Returns every pattern that a text must match. */
export function patternsOf(schema: JsonSchema): RegExp[] {
  const sources = [schema.pattern, ...(schema.allOf ?? []).map(({ pattern }) => pattern)]
  return sources.filter((source) => source !== undefined).map((source) => new RegExp(source, 'u'))
}
