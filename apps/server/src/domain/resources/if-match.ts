import { DomainError } from '../domain-error.js'

/** The versions that a caller will accept; null where it does not mind. */
export type IfMatch = readonly string[] | null

/** Refuses where the caller has read another version than the present one. */
export function requireMatch(ifMatch: IfMatch, version: number): void {
  if (ifMatch === null || ifMatch.includes('*') || ifMatch.includes(String(version))) return
  throw stale()
}

export function stale(): DomainError {
  return new DomainError(
    'PreconditionFailed',
    'It has changed since it was read. Read it again and repeat the change.',
  )
}
