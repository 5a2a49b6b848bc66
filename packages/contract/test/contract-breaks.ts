import { isDeepStrictEqual } from 'node:util'
import { makeSchemaComparer, type Resolve, type Schema } from './schema-breaks.js'

/** The part of OpenAPI that our contract uses. */
export interface Contract {
  readonly security?: unknown
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, object>>>>
}

interface Operation {
  readonly operationId?: string
  readonly security?: unknown
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response | Reference>>
}

interface Reference {
  readonly $ref: string
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Response {
  readonly headers?: Readonly<Record<string, { readonly schema?: Schema }>>
  readonly content?: Content
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

/** Returns every change in `after` that breaks a caller written for `before`, one sentence each. */
export function findBreaks(before: Contract, after: Contract): string[] {
  const [resolveBefore, resolveAfter] = [resolverOf(before), resolverOf(after)]
  const compareSent = makeSchemaComparer(resolveBefore, resolveAfter, 'request')
  const compareAnswered = makeSchemaComparer(resolveBefore, resolveAfter, 'response')

  function operationBreaks(place: string, was: Operation, is: Operation | undefined): string[] {
    if (!is) return [`${place} was removed`]
    return [
      ...(was.operationId === is.operationId ? [] : [`${place} was renamed from ${was.operationId}`]),
      ...(isDeepStrictEqual(was.security, is.security) ? [] : [`${place} requires different credentials`]),
      ...parameterBreaks(place, was, is),
      ...bodyBreaks(place, was, is),
      ...responseBreaks(place, was, is),
    ]
  }

  function parameterBreaks(place: string, was: Operation, is: Operation): string[] {
    const known = (was.parameters ?? []).map((one) => resolveBefore<Parameter>(one))
    const present = (is.parameters ?? []).map((one) => resolveAfter<Parameter>(one))
    const find = (list: readonly Parameter[], { in: where, name }: Parameter) =>
      list.find((one) => one.in === where && one.name === name)
    const required = present
      .filter((parameter) => parameter.required && !find(known, parameter)?.required)
      .map(({ name }) => `${place} ${name} is now required`)
    const changed = known.flatMap((parameter) => {
      const still = find(present, parameter)
      const inner = `${place} ${parameter.name}`
      return still
        ? compareSent(inner, { before: parameter.schema, after: still.schema })
        : [`${inner} was removed`]
    })
    return [...required, ...changed]
  }

  function bodyBreaks(place: string, was: Operation, is: Operation): string[] {
    if (!was.requestBody) return is.requestBody?.required ? [`${place} now requires a body`] : []
    if (!is.requestBody) return [`${place} no longer accepts a body`]
    const required =
      is.requestBody.required && !was.requestBody.required ? [`${place} now requires a body`] : []
    return [
      ...required,
      ...contentBreaks(`${place} body`, was.requestBody.content, is.requestBody.content, compareSent),
    ]
  }

  function responseBreaks(place: string, was: Operation, is: Operation): string[] {
    return Object.entries(was.responses).flatMap(([status, known]) => {
      const inner = `${place} ${status}`
      const present = is.responses[status]
      if (!present) return [`${inner} was removed`]
      const [before, after] = [resolveBefore<Response>(known), resolveAfter<Response>(present)]
      const lostHeaders = Object.keys(before.headers ?? {})
        .filter((name) => !after.headers?.[name])
        .map((name) => `${inner} ${name} was removed`)
      return [
        ...lostHeaders,
        ...contentBreaks(inner, before.content ?? {}, after.content ?? {}, compareAnswered),
      ]
    })
  }

  return [
    ...(isDeepStrictEqual(before.security, after.security)
      ? []
      : ['every call requires different credentials']),
    ...Object.entries(before.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        operationBreaks(`${method.toUpperCase()} ${path}`, operation, after.paths[path]?.[method]),
      ),
    ),
  ]
}

function contentBreaks(
  place: string,
  was: Content,
  is: Content,
  compare: ReturnType<typeof makeSchemaComparer>,
): string[] {
  return Object.entries(was).flatMap(([mediaType, { schema }]) => {
    const still = is[mediaType]
    return still
      ? compare(place, { before: schema, after: still.schema })
      : [`${place} ${mediaType} was removed`]
  })
}

/** Follows `#/components/<kind>/<name>`. */
function resolverOf(contract: Contract): Resolve {
  return function resolve<Part extends object>(part: Part | Reference): Part {
    if (!('$ref' in part) || typeof part.$ref !== 'string') return part as Part
    const [, , kind = '', name = ''] = part.$ref.split('/')
    const found = contract.components?.[kind]?.[name]
    if (!found) throw new Error(`${part.$ref} does not exist`)
    return resolve(found as Part)
  }
}
