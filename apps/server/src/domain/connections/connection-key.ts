import type { Cipher } from '../../ports/cipher.js'
import type { ConnectionRecord } from '../../ports/connection-store.js'

type ConnectionId = Pick<ConnectionRecord, 'organizationId' | 'id'>

/** The key that a connection was given, as its provider takes it; null where it has none. */
export function openApiKey(connection: ConnectionRecord, cipher: Cipher): string | null {
  const { sealedApiKey } = connection
  return sealedApiKey === null ? null : cipher.open(sealedApiKey, secretContext(connection))
}

/** A connection's key as it is stored. */
export function sealApiKey(connection: ConnectionId, apiKey: string | null, cipher: Cipher): string | null {
  return apiKey === null ? null : cipher.seal(apiKey, secretContext(connection))
}

/** Where a connection's key is stored, so that it opens nowhere else. */
export function secretContext({ organizationId, id }: ConnectionId): string {
  return `connection/${organizationId}/${id}/apiKey`
}
