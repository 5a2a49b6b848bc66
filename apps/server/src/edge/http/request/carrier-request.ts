import type { IncomingMessage } from 'node:http'
import type { Carrier, CarrierRequest } from '@parley/telephone'
import { validate as isUuid } from 'uuid'
import { DomainError } from '../../../domain/domain-error.js'
import type { PhoneConnectionRecord } from '../../../ports/phone-stores.js'
import type { Services } from '../services.js'

/** A request that a telephone provider has signed. */
export interface AuthenticCarrierRequest {
  readonly connection: PhoneConnectionRecord
  readonly carrier: Carrier
  readonly request: CarrierRequest
}

/**
 * Returns the phone connection of a provider's request. `body` is null for the handshake of a media socket. Throws the same error for an unknown phone connection and for a
 * wrong signature, because the caller is unknown. The signature covers the configured public URL, never the Host header.
 */
export async function requireCarrier(
  { database, carriers, publicUrl }: Pick<Services, 'database' | 'carriers' | 'publicUrl'>,
  { url = '', method = '', headers }: Pick<IncomingMessage, 'url' | 'method' | 'headers'>,
  { phoneConnectionId, body }: { readonly phoneConnectionId: string; readonly body: string | null },
): Promise<AuthenticCarrierRequest> {
  const connection = isUuid(phoneConnectionId)
    ? await database.stores.phoneConnections.findForProvider(phoneConnectionId.toLowerCase())
    : null
  const carrier = connection && carriers.of(connection)
  const kind = body === null ? 'handshake' : 'webhook'
  const base = kind === 'handshake' ? publicUrl().replace(/^http/, 'ws') : publicUrl()
  const request = { method, url: `${base}${url}`, headers, body: body ?? '' }
  if (connection === null || carrier === null || !carrier.isAuthentic(request, kind))
    throw new DomainError(
      'Forbidden',
      'The signature is wrong. The provider must call this service at its PARLEY_PUBLIC_URL, with the secret of the phone connection.',
    )
  return { connection, carrier, request }
}
