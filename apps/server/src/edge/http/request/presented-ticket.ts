import type { IncomingMessage } from 'node:http'
import { parseUrl } from '@parley/contract'
import { DomainError } from '../../../domain/domain-error.js'
import type { PresentedTicket } from '../../../domain/realtime/opening/accept-session.js'
import { type AccessSettings, requireEnabled } from '../../../domain/realtime/opening/realtime-model.js'

/**
 * The Retry-After time: about as long as another instance, or this one after a restart, needs to be ready.
 */
const retryAfterSeconds = 5

const path = /^\/api\/v1\/Agent\/([^/]+)\/realtime$/

/** Returns the ticket in the URL, or null for any other URL. Unknown parameters are ignored. */
export function presentedTicketOf(
  request: Pick<IncomingMessage, 'url'>,
): Omit<PresentedTicket, 'network'> | null {
  const url = parseUrl(request.url ?? '', 'http://service')
  const agentId = url && path.exec(url.pathname)?.[1]
  if (!url || !agentId) return null
  return {
    agentId,
    conversationId: url.searchParams.get('conversationId') ?? '',
    token: url.searchParams.get('sessionId') ?? '',
  }
}

/**
 * Throws the errors that do not depend on the token. Used for the handshake and for the plain GET that
 * explains it.
 */
export function requireOpenToSessions(isDraining: boolean, settings: AccessSettings): void {
  requireNotDraining(isDraining)
  requireEnabled(settings)
}

/** Throws during a shutdown, so that no ticket is created for a socket that would be refused. */
export function requireNotDraining(isDraining: boolean): void {
  if (isDraining)
    throw new DomainError('Unavailable', 'The service is shutting down. Try again in a moment.', {
      retryAfterSeconds,
    })
}
