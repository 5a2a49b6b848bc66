import type { FieldError } from '@parley/contract'
import type { Passwords, SlowOutcome } from '../../ports/passwords.js'
import { DomainError, invalidRequest } from '../domain-error.js'

const minCharacters = 10
/** Longer ones only cost time. */
const maxBytes = 200
const retryAfterSeconds = 5

/** Hashes a new password, or says what is wrong with it. */
export async function hashNewPassword(
  passwords: Passwords,
  { password, email, path }: { readonly password: string; readonly email: string; readonly path: string },
): Promise<string> {
  const message = mistakeIn(password, email)
  if (message !== null) throw invalidRequest([{ path, message } satisfies FieldError])
  return requireTurn(await passwords.hash(password))
}

function mistakeIn(password: string, email: string): string | null {
  if ([...password].length < minCharacters) return `must have at least ${minCharacters} characters`
  if (Buffer.byteLength(password) > maxBytes) return `must have at most ${maxBytes} bytes`
  return password.toLowerCase() === email ? 'must not be the e-mail address' : null
}

/** Whether this is the password of a person, or of nobody. What no password can be takes as long. */
export async function verifyPassword(
  passwords: Passwords,
  hash: string | null,
  password: string,
): Promise<boolean> {
  const isPossible = Buffer.byteLength(password) <= maxBytes
  const isRight = requireTurn(await passwords.verify(hash, isPossible ? password : ''))
  return isRight && isPossible
}

function requireTurn<Value>(outcome: SlowOutcome<Value>): Value {
  if (outcome.ok) return outcome.value
  throw new DomainError('Unavailable', 'Too many people sign in at once. Try again in a moment.', {
    retryAfterSeconds,
  })
}
