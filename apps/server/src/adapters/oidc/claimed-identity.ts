import { emailAddress } from '@parley/contract'
import type { IssuedIdentity } from '../../ports/oauth.js'
import type { PersonIdentity } from '../../ports/people-stores.js'

const maxNameCharacters = 200
/** The maximum length of a subject according to the OpenID Connect standard. */
const maxSubjectCharacters = 255
const maxIssuerCharacters = 1000

/**
 * Converts the untrusted claims of an identity provider to an identity that can be stored. Returns null if
 * they identify no account.
 */
export function identityOf(
  { issuer, subject }: PersonIdentity,
  claims: { readonly [claim: string]: unknown },
): IssuedIdentity | null {
  if (!isStorable(subject, maxSubjectCharacters) || !isStorable(issuer, maxIssuerCharacters)) return null
  const email = emailAddress().safeParse(claims.email)
  return {
    issuer,
    subject,
    email: email.success ? email.data : null,
    // Some identity providers send a string instead of a boolean.
    isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: nameOf(claims),
  }
}

function isStorable(text: string, maxCharacters: number): boolean {
  return text !== '' && text.length <= maxCharacters && !/\p{Cc}/u.test(text)
}

function nameOf({
  name,
  given_name,
  family_name,
  preferred_username,
}: Record<string, unknown>): string | null {
  const fullName = [given_name, family_name].filter((part) => typeof part === 'string').join(' ')
  const [first] = [name, fullName, preferred_username].map(cleanName).filter((text) => text !== '')
  return first ?? null
}

function cleanName(text: unknown): string {
  if (typeof text !== 'string') return ''
  const plain = text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return [...plain].slice(0, maxNameCharacters).join('')
}
