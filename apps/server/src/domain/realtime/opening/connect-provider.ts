import { closeCodes } from '@parley/contract'
import type { FrameSocket } from '@parley/relay-socket'
import type { Log } from '../../../ports/log.js'
import type {
  ConnectionFailure,
  ProviderConnection,
  ProviderOpening,
  RealtimeProvider,
} from '../../../ports/realtime-provider.js'
import type { Timers } from '../../../ports/time.js'
import type { ProviderCandidate } from './accept-session.js'
import { ConfirmedSocket } from './confirmed-socket.js'
import type { ConnectionBreaker } from './connection-breaker.js'

/** The time limit of each try, except for the last candidate. */
const tryMilliseconds = 4000

export interface ConnectDependencies {
  readonly timers: Timers
  readonly log: Log
  readonly breaker: ConnectionBreaker
}

export interface WantedProvider {
  readonly candidates: readonly [ProviderCandidate, ...ProviderCandidate[]]
  readonly connect: RealtimeProvider['connect']
  readonly openingFor: (candidate: ProviderCandidate) => ProviderOpening
  /** The id of the event that configures the session. */
  readonly updateEventId: string
  /** Whether the last candidate must confirm the session as well. */
  readonly mustConfirmLast?: boolean
}

export type FoundProvider =
  | { readonly ok: true; readonly candidate: ProviderCandidate; readonly socket: FrameSocket }
  | { readonly ok: false; readonly detail: string }

/**
 * Connects to the first candidate that answers. A candidate with others behind it must confirm the configuration of the
 * session within the time limit. The last one is only connected at the start of a session, because nothing could replace it.
 * Returns the failure of the last candidate if all of them fail.
 */
export async function connectProvider(
  { timers, log, breaker }: ConnectDependencies,
  { candidates, connect, openingFor, updateEventId, mustConfirmLast = false }: WantedProvider,
  signal: AbortSignal,
): Promise<FoundProvider> {
  const last = candidates.at(-1) ?? candidates[0]
  for (const candidate of candidates) {
    const { connectionId } = candidate.model
    const isLast = candidate === last
    if (!isLast && !breaker.allows(connectionId)) continue
    const opening = openingFor(candidate)
    const isUnconfirmed = isLast && !mustConfirmLast
    const attempt = isUnconfirmed
      ? await connect(candidate.target, opening, signal).catch(failedConnection)
      : await confirmInTime(
          timers,
          (ownSignal) => connect(candidate.target, opening, ownSignal),
          updateEventId,
          signal,
        )
    if (attempt.ok) {
      breaker.noteSuccess(connectionId)
      return { ok: true, candidate, socket: attempt.socket }
    }
    const { reason, detail } = attempt
    if (signal.aborted || isLast) return { ok: false, detail }
    breaker.noteFailure(connectionId)
    log.warn({ connectionId, reason, detail }, 'a realtime model failed, and its fallback is tried')
  }
  throw new Error('The last candidate was skipped.')
}

/** Connects and waits for the confirmation. Closes a connection that fails or takes too long. */
async function confirmInTime(
  timers: Timers,
  connect: (signal: AbortSignal) => Promise<ProviderConnection>,
  updateEventId: string,
  signal: AbortSignal,
): Promise<ProviderConnection> {
  const tooLate = new AbortController()
  const cancel = timers.after(tryMilliseconds, () => tooLate.abort())
  const ownSignal = AbortSignal.any([signal, tooLate.signal])
  const aborted = new Promise<ProviderConnection>((resolve) => {
    const detail = `The provider did not confirm the session within ${tryMilliseconds / 1000} seconds.`
    ownSignal.addEventListener('abort', () => resolve(failure('unreachable', detail)), { once: true })
  })
  let socket: ConfirmedSocket | null = null
  const confirmed = async (): Promise<ProviderConnection> => {
    const connection = await connect(ownSignal)
    if (!connection.ok) return connection
    socket = new ConfirmedSocket(connection.socket, updateEventId)
    if (ownSignal.aborted) socket.close(closeCodes.client_left, '')
    const confirmation = await socket.confirmation
    return confirmation.ok ? { ok: true, socket } : failure('refused', confirmation.detail)
  }
  const outcome = await Promise.race([confirmed().catch(failedConnection), aborted])
  cancel()
  if (!outcome.ok) (socket as ConfirmedSocket | null)?.close(closeCodes.client_left, '')
  return outcome
}

function failure(reason: ConnectionFailure, detail: string): ProviderConnection {
  return { ok: false, reason, detail }
}

function failedConnection(error: unknown): ProviderConnection {
  const isAborted = error instanceof Error && error.name === 'AbortError'
  return failure('unreachable', isAborted ? 'cancelled' : 'The provider could not be reached.')
}
