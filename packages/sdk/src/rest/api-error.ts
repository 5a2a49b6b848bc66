import type { FieldError, Problem } from '../generated/schemas/problem.js'
import { ParleyError } from '../parley-error.js'

/** The connection failed or was lost before a response arrived. `cause` is the error of the runtime. */
export class ConnectionError extends ParleyError {
  override readonly name: string = 'ConnectionError'
}

/** No response within the time limit. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
}

/** An error response of the service or of a proxy in front of it. */
export class ApiError extends ParleyError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** The code of the error. `null` if the response is not from the service. */
  readonly errorCode: Problem['errorCode'] | null
  /** The invalid fields of the request. */
  readonly errors: readonly FieldError[]
  /** The limit of the organization that was reached, if any. */
  readonly limit: string | null
  /** The id of the request in the service's log. */
  readonly requestId: string | null
  /** When to retry, if the response specifies it. */
  readonly retryAfterSeconds: number | null
  readonly headers: Headers

  constructor({ status, headers }: Response, problem: Partial<Problem>, message: string) {
    super(message)
    this.status = status
    this.headers = headers
    this.errorCode = problem.errorCode ?? null
    this.errors = problem.errors ?? []
    this.limit = problem.limit ?? null
    this.requestId = problem.requestId ?? headers.get('x-request-id')
    this.retryAfterSeconds = retryAfterOf(headers)
  }
}

/** 400, 413 and 415: the request is invalid. `errors` names the fields. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError'
}

/** 401: the key is missing, unknown, expired or deleted. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: the key is not for this organization or call, or a limit of the organization is reached. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError'
}

/** 404: the resource does not exist in this organization. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409 and 412: the request conflicts with the current state, or the resource has changed since it was read. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 429: too many requests, or too many at once. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}

/** 500 and above: the service failed or is unavailable. */
export class ServiceError extends ApiError {
  override readonly name = 'ServiceError'
}

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  429: RateLimitError,
}

/** Returns the error of a response. The body may be anything, for example a proxy's page. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  const problem = problemIn(text)
  const ErrorClass = classes[response.status] ?? (response.status >= 500 ? ServiceError : ApiError)
  return new ErrorClass(response, problem, problem.detail ?? messageFor(response))
}

function problemIn(text: string): Partial<Problem> {
  try {
    const value: Partial<Problem> | null = JSON.parse(text)
    return typeof value?.errorCode === 'string' ? value : {}
  } catch {
    return {}
  }
}

function messageFor({ status, type }: Response): string {
  // Following the redirect would send the key to another host.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return 'The service sent a redirect. Use its final URL as baseUrl.'
  return `The response was HTTP ${status}, and not from Parley.`
}

function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null || text.trim() === '') return null
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : Math.max(0, (time - Date.now()) / 1000)
}
