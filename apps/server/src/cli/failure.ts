import { DomainError } from '../domain/domain-error.js'

/** How a command ends. */
export const exitCodes = { fine: 0, failed: 1, misused: 2 } as const

/** The command was written wrongly: nothing was tried. */
export class UsageMistake extends Error {
  override readonly name = 'UsageMistake'
}

export interface Failure {
  readonly code: string
  readonly detail: string
  readonly exitCode: number
}

/** What a person, or a script, is told of an error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageMistake)
    return { code: 'Usage', detail: error.message, exitCode: exitCodes.misused }
  if (error instanceof DomainError)
    return { code: error.code, detail: detailOf(error), exitCode: exitCodes.failed }
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'Failed'
  const detail = error instanceof Error ? error.message || code : String(error)
  return { code, detail, exitCode: exitCodes.failed }
}

function detailOf({ detail, errors }: DomainError): string {
  if (errors === undefined || errors.length < 2) return detail
  return errors.map(({ path, message }) => `${path} ${message}`).join('; ')
}
