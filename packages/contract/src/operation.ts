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
  /** Unique name, also the method name in clients. */
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
  /** The fields of a multipart form, where that is what it takes; what is sent in them is streamed, not checked by this. */
  readonly form?: z.ZodType
  /** What a success answers, in one sentence. */
  readonly outcome: string
  /** The success answer; no schema means no JSON body. */
  readonly status: 200 | 201 | 202 | 204
  readonly answer?: Answer
  /** Media types of an answer that is no JSON. */
  readonly streamed?: readonly string[]
  /** What server-sent events carry, where the caller asks for `text/event-stream`. */
  readonly events?: z.ZodType
  /** Answers 201 instead, with the same body, where it has created the resource. */
  readonly mayCreate?: boolean
  /** Also answers 202 with the same body, where the work goes on without the caller. */
  readonly mayGoOn?: boolean
  /** Takes `Last-Event-ID`, and answers 204 where nothing follows that event. */
  readonly isResumable?: boolean
  /** Sends events until the caller leaves, and takes a cursor as `Last-Event-ID`. */
  readonly isEndless?: boolean
  /** Takes `Idempotency-Key`. */
  readonly isIdempotent?: boolean
  /** Takes `If-Match`. */
  readonly isConditional?: boolean
  /** Answers an `ETag`. */
  readonly hasETag?: boolean
  /** Errors beyond those that every call can answer. */
  readonly refusals?: readonly ErrorCode[]
}

/** A call that keys make, and people whose role covers its scope. */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends CallParts<Params, Query, Body, Answer> {
  /** What the caller must be allowed to do; null: nothing in particular, being of the organization is enough. */
  readonly scope: Scope | null
}

/** A call that people make for themselves and no key can: signed in, or on their way in. */
export interface PersonOperation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> extends CallParts<Params, Query, Body, Answer> {
  /** Who may call: whoever has signed in, or anyone. */
  readonly caller: 'person' | 'anyone'
}

/** Keeps the exact schema types of an operation, so that handlers and clients are typed by them. */
export function defineOperation<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(operation: Operation<Params, Query, Body, Answer>): Operation<Params, Query, Body, Answer> {
  return operation
}

/** The same for a call that people make for themselves. */
export function definePersonOperation<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(operation: PersonOperation<Params, Query, Body, Answer>): PersonOperation<Params, Query, Body, Answer> {
  return operation
}
