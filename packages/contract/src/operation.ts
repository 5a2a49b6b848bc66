import type { z } from 'zod'
import type { ErrorCode } from './problem.js'
import type { Scope } from './scope.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One call: everything that validation, routing, the reference and the tests need to know of it, but for who may call. */
interface CallParts<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** Unique name, and the method name in clients. */
  readonly operationId: string
  readonly method: Method
  /** The path in OpenAPI spelling, for example `/api/v1/Agent/{agentId}`. */
  readonly path: string
  /** The group it stands under in the reference. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** The fields of a multipart form, for uploads. The content is streamed and not checked by this schema. */
  readonly form?: z.ZodType
  /** A one-sentence description of a successful answer. */
  readonly outcome: string
  /** The schema of a successful answer. Without a schema there is no JSON body. */
  readonly status: 200 | 201 | 202 | 204
  readonly answer?: Answer
  /** The media types of an answer other than JSON. */
  readonly streamed?: readonly string[]
  /** The data of server-sent events, if the caller accepts `text/event-stream`. */
  readonly events?: z.ZodType
  /** Answers 201 with the same body if the call created the resource. */
  readonly mayCreate?: boolean
  /** May answer 202 with the same body, if the work continues without the caller. */
  readonly mayGoOn?: boolean
  /** Accepts `Last-Event-ID`, and answers 204 if no event follows it. */
  readonly isResumable?: boolean
  /** Sends events until the caller disconnects. Accepts a cursor as `Last-Event-ID`. */
  readonly isEndless?: boolean
  /** Accepts `Idempotency-Key`. */
  readonly isIdempotent?: boolean
  /** Accepts `If-Match`. */
  readonly isConditional?: boolean
  /** Sends an `ETag`. */
  readonly hasETag?: boolean
  /** Errors in addition to those of every operation. */
  readonly refusals?: readonly ErrorCode[]
}

/** An operation for keys, and for people whose role includes its scope. */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends CallParts<Params, Query, Body, Answer> {
  /** The required scope. Null: every caller of the organization may call it. */
  readonly scope: Scope | null
}

/** An operation for people only, signed in or about to sign in. */
export interface PersonOperation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends CallParts<Params, Query, Body, Answer> {
  /** Who may call: a signed-in person, or anyone. */
  readonly caller: 'person' | 'anyone'
}

/** Keeps the exact schema types of an operation, which handlers and clients use. */
export function defineOperation<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(operation: Operation<Params, Query, Body, Answer>): Operation<Params, Query, Body, Answer> {
  return operation
}

/** Keeps the exact schema types of an operation for people. */
export function definePersonOperation<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(operation: PersonOperation<Params, Query, Body, Answer>): PersonOperation<Params, Query, Body, Answer> {
  return operation
}
