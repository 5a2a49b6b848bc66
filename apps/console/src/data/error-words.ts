import { ApiError, ConnectionError } from '@parley/sdk'

export interface ErrorWords {
  /** What happened, for a person. */
  readonly message: string
  /** What to name to whoever runs the service. */
  readonly requestId: string | null
}

export function wordsOf(error: unknown): ErrorWords {
  if (error instanceof ApiError) {
    // A single mistake is often the message already.
    const unsaid = error.errors.filter(({ message }) => !error.message.includes(message))
    const fields = unsaid.map(({ path, message }) => (path ? `${path}: ${message}` : message))
    return { message: [error.message, ...fields].join(' '), requestId: error.requestId }
  }
  if (error instanceof ConnectionError)
    return {
      message: 'The service cannot be reached. It is tried again as soon as it answers.',
      requestId: null,
    }
  return { message: error instanceof Error ? error.message : String(error), requestId: null }
}

/** The same as one text, for places that have no room for more than that. */
export function errorText(error: unknown): string {
  const { message, requestId } = wordsOf(error)
  return requestId === null ? message : `${message} (request ${requestId})`
}

/** The mistakes of a form's fields, by the field's name as the API calls it. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.errors.map(({ path, message }) => [path, message]))
}
