import type { ErrorCode, FieldError, Problem } from '@parley/contract'

/** An error for the caller. `detail` is sent to the caller, and `cause` is only logged. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly detail: string
  readonly errors: readonly FieldError[] | undefined
  /** The limit of the organization that was reached, if any. */
  readonly limit: string | undefined
  /** The exceeded budget, if any. */
  readonly budget: Problem['budget']
  /** The delay before a retry. Undefined if a retry does not help. */
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
  return new DomainError('NotFound', `${type} not found in this organization.`)
}

/**
 * The maximum number of reported errors. Callers fix a few at a time, and a response must not be larger than
 * its request.
 */
const maxListedErrors = 100

/** Returns the error for a request with these invalid fields. */
export function invalidRequest(errors: readonly FieldError[]): DomainError {
  const [first] = errors
  const detail =
    errors.length === 1 && first
      ? `${first.path || 'The request'} ${first.message}.`
      : `The request has ${errors.length} errors.`
  return new DomainError('InvalidRequest', detail.replace(/\.\.$/, '.'), {
    errors: errors.slice(0, maxListedErrors),
  })
}
