import { DomainError } from '../../domain/domain-error.js'
import { type RealtimeSettings, requireEnabled } from '../../domain/realtime/opening/create-session.js'

/** What refuses every token alike, in the handshake and in the plain GET that explains it. */
export function requireOpenDoor(isDraining: boolean, settings: RealtimeSettings): void {
  if (isDraining) throw new DomainError('Unavailable', 'The service is shutting down. Try again at once.')
  requireEnabled(settings)
}
