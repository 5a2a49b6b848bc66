/** A statement that the database did not take; its own message repeats the values, and says nothing of the reason. */
interface FailedStatement extends Error {
  readonly query: string
}

/** What the operator reads where a start has failed: the reason, and of a statement what was asked, without its values. */
export function describeStartFailure(error: Error): string {
  if (!isFailedStatement(error)) return error.message
  return `the database failed: ${firstCause(error).message}\n  It was asked: ${error.query}`
}

function isFailedStatement(error: Error): error is FailedStatement {
  return 'query' in error && typeof error.query === 'string' && error.cause instanceof Error
}

function firstCause(error: Error): Error {
  return error.cause instanceof Error ? firstCause(error.cause) : error
}
