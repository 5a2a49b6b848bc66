import type { z } from 'zod'
import type { ErrorCode } from './problem.js'
import type { Scope } from './scope.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An API operation, except for its authorization. Used for validation, routing, the API reference and tests. */
interface BaseOperation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  ResponseBody extends z.ZodType = z.ZodType,
> {
  /** The unique name of the operation, from which SDK method names are derived. */
  readonly operationId: string
  readonly method: Method
  /** The path as an OpenAPI path template, for example `/api/v1/Agent/{agentId}`. */
  readonly path: string
  /** The group of the operation in the API reference. */
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** The fields of a multipart form, for uploads. The content is streamed, so it is not validated with this schema. */
  readonly form?: z.ZodType
  /** A one-sentence description of a successful response. */
  readonly outcome: string
  /** The status of a successful response. */
  readonly status: 200 | 201 | 202 | 204
  /** The schema of a successful JSON response. If omitted, the response has no JSON body. */
  readonly response?: ResponseBody
  /** The media types of a response that is not JSON. */
  readonly streamed?: readonly string[]
  /** The schema of the data of server-sent events, which are sent if the caller accepts `text/event-stream`. */
  readonly events?: z.ZodType
  /** Returns 201 with the same body if the operation created the resource. */
  readonly mayCreate?: boolean
  /** May return 202 with the same body while the work continues in the background. */
  readonly mayRunInBackground?: boolean
  /** Accepts `Last-Event-ID`, and returns 204 if there are no later events. */
  readonly isResumable?: boolean
  /** Sends events until the caller disconnects. Accepts a cursor in `Last-Event-ID`. */
  readonly isEndless?: boolean
  /** Accepts `Idempotency-Key`. */
  readonly isIdempotent?: boolean
  /** Accepts `If-Match`. */
  readonly isConditional?: boolean
  /** Sends an `ETag`. */
  readonly hasETag?: boolean
  /** The error codes of this operation, in addition to those of every operation. */
  readonly errors?: readonly ErrorCode[]
}

/** An operation for API keys, and for users whose role includes its scope. */
export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  ResponseBody extends z.ZodType = z.ZodType,
> extends BaseOperation<Params, Query, Body, ResponseBody> {
  /** The required scope. If null, every caller with access to the organization can use the operation. */
  readonly scope: Scope | null
}

/** An operation for users only: either signed in, or signing in. */
export interface PersonOperation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  ResponseBody extends z.ZodType = z.ZodType,
> extends BaseOperation<Params, Query, Body, ResponseBody> {
  /** Who can call the operation: a signed-in user, or anyone. */
  readonly caller: 'person' | 'anyone'
}

/** Preserves the exact schema types of an operation for handlers and clients. */
export function defineOperation<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  ResponseBody extends z.ZodType = z.ZodUndefined,
>(operation: Operation<Params, Query, Body, ResponseBody>): Operation<Params, Query, Body, ResponseBody> {
  return operation
}

/** Preserves the exact schema types of an operation for users. */
export function definePersonOperation<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  ResponseBody extends z.ZodType = z.ZodUndefined,
>(
  operation: PersonOperation<Params, Query, Body, ResponseBody>,
): PersonOperation<Params, Query, Body, ResponseBody> {
  return operation
}
