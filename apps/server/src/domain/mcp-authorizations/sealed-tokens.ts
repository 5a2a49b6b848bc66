import { z } from 'zod'
import type { McpAuthorizationRecord } from '../../ports/agent-stores.js'
import type { Cipher } from '../../ports/secrets.js'
import { resealed } from '../agents/tool-secrets.js'

/** The tokens for calls to a server, and the data needed to renew them. */
const McpGrant = z.object({
  memory: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
})

export type McpGrant = z.output<typeof McpGrant>

type Place = Pick<McpAuthorizationRecord, 'organizationId' | 'id'>

/** The sealing context of an authorization's secrets. They cannot be opened in another context. */
const contextOf = ({ organizationId, id }: Place, what: 'grant' | 'start' | 'client-secret') =>
  `mcp-authorization/${organizationId}/${id}/${what}`

export function sealGrant(cipher: Cipher, place: Place, grant: McpGrant): string {
  return cipher.seal(JSON.stringify(grant), contextOf(place, 'grant'))
}

/** Returns the grant, or null if no one has consented yet. */
export function openGrant(cipher: Cipher, record: McpAuthorizationRecord): McpGrant | null {
  if (record.sealedGrant === null) return null
  return McpGrant.parse(JSON.parse(cipher.open(record.sealedGrant, contextOf(record, 'grant'))))
}

export const sealStart = (cipher: Cipher, place: Place, memory: string) =>
  cipher.seal(memory, contextOf(place, 'start'))

export const openStart = (cipher: Cipher, place: Place, sealed: string) =>
  cipher.open(sealed, contextOf(place, 'start'))

export const sealClientSecret = (cipher: Cipher, place: Place, secret: string | null) =>
  secret === null ? null : cipher.seal(secret, contextOf(place, 'client-secret'))

export const openClientSecret = (cipher: Cipher, record: McpAuthorizationRecord) =>
  record.sealedClientSecret === null
    ? null
    : cipher.open(record.sealedClientSecret, contextOf(record, 'client-secret'))

/** Returns the record with its secrets sealed with the current secret. */
export function resealAuthorization(cipher: Cipher, record: McpAuthorizationRecord): McpAuthorizationRecord {
  const renewed = (sealed: string | null, what: Parameters<typeof contextOf>[1]) =>
    sealed === null ? null : resealed(cipher, sealed, contextOf(record, what))
  return {
    ...record,
    sealedGrant: renewed(record.sealedGrant, 'grant'),
    sealedStart: renewed(record.sealedStart, 'start'),
    sealedClientSecret: renewed(record.sealedClientSecret, 'client-secret'),
  }
}

/**
 * Visible ASCII characters, and spaces between them (RFC 6750, RFC 9110). HTTP clients reject other
 * characters in a header.
 */
const headerToken = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Returns why a token cannot be sent as a header value, or null if it can. */
export function explainUnsendable(accessToken: string): string | null {
  if (headerToken.test(accessToken)) return null
  return accessToken === ''
    ? 'The authorization server sent no access token.'
    : 'The authorization server sent an access token that is not valid in an HTTP header, for example because it contains a line break.'
}
