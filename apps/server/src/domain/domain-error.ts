import type { ErrorCode, FieldError, Problem } from '@parley/contract'

/** An error that is returned to the caller. `detail` is for the caller, `cause` for the log. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly detail: string
  readonly errors: readonly FieldError[] | undefined
  /** Which limit of the organization was reached, where one was. */
  readonly limit: string | undefined
  /** Which budget is used up, where one is. */
  readonly budget: Problem['budget']
  /** After how long it is worth another try; undefined where waiting does not help. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, detail: string, options: DomainErrorOptions = {}) {
    super(detail, { cause: options.cause })
    this.name = 'DomainError'
    this.code = code
    this.detail = detail
    this.errors = options.errors
    this.limit = options.limit
    this.budget = options.budget
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

export interface DomainErrorOptions {
  readonly errors?: readonly FieldError[]
  readonly limit?: string
  readonly budget?: NonNullable<Problem['budget']>
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

export function notFound(type: string): DomainError {
  return new DomainError('NotFound', `There is no such ${type} in this organization.`)
}

/** Callers fix a few errors at a time, and a response must not be larger than its request. */
const maxListedErrors = 100

/** A request that is wrong in these places. */
export function invalidRequest(errors: readonly FieldError[]): DomainError {
  const [first] = errors
  const detail =
    errors.length === 1 && first
      ? `${first.path || 'The request'} ${first.message}.`
      : `The request has ${errors.length} mistakes.`
  return new DomainError('InvalidRequest', detail.replace(/\.\.$/, '.'), {
    errors: errors.slice(0, maxListedErrors),
  })
}
