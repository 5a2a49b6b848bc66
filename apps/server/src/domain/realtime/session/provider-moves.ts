import type { SessionServiceEvent } from '@parley/contract'
import type { AcceptedSession, ProviderCandidate } from '../opening/accept-session.js'
import {
  type ConnectDependencies,
  connectProvider,
  type FoundProvider,
  type WantedProvider,
} from '../opening/connect-provider.js'
import { cutOffNotice, type HistoryItem, withCalls } from '../opening/history.js'
import { providerOpening } from '../opening/provider-opening.js'
import type { SessionBackend } from './session-backend.js'

/** The maximum number of moves of one session, and of those within a minute. */
const maxMoves = 30
const maxMovesPerMinute = 5
const minuteMilliseconds = 60_000

/** A provider that was open this long is tried again before the others. */
const healthyMilliseconds = 10_000

/** How long the last words may take to be stored and the history to be read. A model without it is of little use. */
const historyMilliseconds = 8000

type ChangeReason = Extract<SessionServiceEvent, { type: 'session.provider_changed' }>['data']['reason']

/** Why the provider was lost. */
export interface Loss {
  readonly reason: ChangeReason
  readonly detail: string
}

export interface LostProvider {
  readonly candidate: ProviderCandidate
  readonly openedAt: number
  readonly loss: Loss
}

export type MovedProvider = FoundProvider & {
  readonly history: readonly HistoryItem[]
  /** Whether the history could be read again. */
  readonly isContextRestored: boolean
}

/** The search for the next provider. Its time limit has begun. */
export interface ProviderSearch {
  find(): Promise<MovedProvider>
  /** Ends the search and its time limit. */
  cancel(): void
}

interface MovesDependencies extends ConnectDependencies {
  readonly config: { readonly providerConnectTimeoutSeconds: number }
}

interface MovingSession
  extends Pick<AcceptedSession, 'session' | 'candidates' | 'history' | 'readHistory'>,
    Pick<WantedProvider, 'connect'> {
  readonly backend: SessionBackend
}

/**
 * Finds the next provider of a session that has lost its own:
 *
 *   lost ──words stored──► history read ──► same model, if it was healthy ──► the others ──► found | none
 *
 * Each candidate must confirm the session within the time limit of a try. The breaker skips connections that failed
 * recently. The number of moves is limited, so that two broken providers do not alternate forever.
 */
export class ProviderMoves {
  readonly #dependencies: MovesDependencies
  readonly #session: MovingSession
  #movedAt: readonly number[] = []
  #count = 0

  constructor(dependencies: MovesDependencies, session: MovingSession) {
    this.#dependencies = dependencies
    this.#session = session
  }

  /**
   * Counts a move. Returns null if the session must end instead, because it has no other model or moved too often. Calls
   * `onTooLate` if no provider is found within the time limit.
   */
  begin(lost: LostProvider, onTooLate: () => void): ProviderSearch | null {
    if (!this.#countMove()) return null
    const { timers, config } = this.#dependencies
    const search = new AbortController()
    const cancelLimit = timers.after(config.providerConnectTimeoutSeconds * 1000, onTooLate)
    return {
      find: async () => {
        const found = await this.#find(lost, search.signal)
        cancelLimit()
        return found
      },
      cancel: () => {
        cancelLimit()
        search.abort()
      },
    }
  }

  #countMove(): boolean {
    const now = this.#dependencies.timers.monotonic()
    this.#movedAt = this.#movedAt.filter((at) => now - at < minuteMilliseconds)
    const mayMove =
      this.#session.candidates.length > 1 &&
      this.#count < maxMoves &&
      this.#movedAt.length < maxMovesPerMinute
    if (!mayMove) return false
    this.#movedAt = [...this.#movedAt, now]
    this.#count += 1
    return true
  }

  async #find(lost: LostProvider, signal: AbortSignal): Promise<MovedProvider> {
    const { history, isContextRestored } = await this.#readHistory()
    const { session, connect, backend } = this.#session
    const { updateEventId } = backend
    const found = await connectProvider(
      this.#dependencies,
      {
        connect,
        updateEventId,
        candidates: this.#inOrder(lost),
        openingFor: (candidate) => providerOpening(session.setup, updateEventId, candidate, history),
        mustConfirmLast: true,
      },
      signal,
    )
    return { ...found, history, isContextRestored }
  }

  /** The model that was lost comes last, unless it was healthy until now. */
  #inOrder({ candidate, openedAt, loss }: LostProvider): WantedProvider['candidates'] {
    const others = this.#session.candidates.filter((other) => other !== candidate)
    const age = this.#dependencies.timers.monotonic() - openedAt
    const [next, ...rest] = others
    if (next === undefined) return [candidate]
    return loss.reason !== 'unavailable' && age >= healthyMilliseconds
      ? [candidate, ...others]
      : [next, ...rest, candidate]
  }

  async #readHistory(): Promise<Pick<MovedProvider, 'history' | 'isContextRestored'>> {
    const { backend, history, readHistory } = this.#session
    const { timers, log } = this.#dependencies
    const read = backend.stored().then(() => readHistory(backend.madeCalls))
    read.catch((error: unknown) => log.warn({ err: error }, 'the history of a moving session was not read'))
    const inTime = await timers.within(
      historyMilliseconds,
      read.catch(() => null),
    )
    return inTime.ok && inTime.value !== null
      ? { history: inTime.value, isContextRestored: true }
      : { history: withCalls(history, backend.madeCalls), isContextRestored: false }
  }
}

/** Returns the ids of the items that a provider echoes although they are not new. */
export function replayedItemIds(history: readonly HistoryItem[]): string[] {
  return [...history, cutOffNotice].map(({ itemId }) => itemId)
}
