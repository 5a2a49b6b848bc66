/** The exit codes of commands. */
export const exitCodes = { fine: 0, failed: 1, misused: 2 } as const

/** The command line is wrong. The command has not tried anything. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface Failure {
  readonly code: string
  readonly detail: string
  readonly exitCode: number
}

/** Returns the message and exit code for an error that ends a command. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError)
    return { code: 'Usage', detail: error.message, exitCode: exitCodes.misused }
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'Failed'
  const detail = error instanceof Error ? error.message || code : String(error)
  return { code, detail, exitCode: exitCodes.failed }
}
