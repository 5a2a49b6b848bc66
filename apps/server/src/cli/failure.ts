import { exitCodes, type Failure, failureOf as failureOfAny } from '@parley/terminal'
import { DomainError } from '../domain/domain-error.js'

/**
 * Returns the message and exit code for an error that ends a command. A domain error lists all its fields.
 */
export function failureOf(error: unknown): Failure {
  return error instanceof DomainError
    ? { code: error.code, detail: detailOf(error), exitCode: exitCodes.failed }
    : failureOfAny(error)
}

function detailOf({ detail, errors }: DomainError): string {
  if (errors === undefined || errors.length < 2) return detail
  return errors.map(({ path, message }) => `${path} ${message}`).join('; ')
}
