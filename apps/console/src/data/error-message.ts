import { ApiError, ConnectionError } from '@parley/sdk'

export interface ErrorMessage {
  readonly message: string
  /** The request id, for the operator's log. */
  readonly requestId: string | null
}

export function errorMessageOf(error: unknown): ErrorMessage {
  if (error instanceof ApiError) {
    // With a single error, the message usually repeats it.
    const remaining = error.errors.filter(({ message }) => !error.message.includes(message))
    const fields = remaining.map(({ path, message }) => (path ? `${path}: ${message}` : message))
    return { message: [error.message, ...fields].join(' '), requestId: error.requestId }
  }
  if (error instanceof ConnectionError)
    return {
      message: 'The service cannot be reached. Retrying automatically.',
      requestId: null,
    }
  return { message: error instanceof Error ? error.message : String(error), requestId: null }
}

/** The same as one string, for places with little room. */
export function errorText(error: unknown): string {
  const { message, requestId } = errorMessageOf(error)
  return requestId === null ? message : `${message} (request ${requestId})`
}

/** Returns the errors by the API's field name. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.errors.map(({ path, message }) => [path, message]))
}
