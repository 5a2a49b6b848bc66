import type { InstanceLoad, SpreadStore } from '../../../ports/installation-stores.js'
import type { Timers } from '../../../ports/time.js'
import type { RealtimeSession } from './session.js'

/** The interval at which an instance compares its sessions with those of the others. */
const compareMilliseconds = 60_000

/** How long a client may take to request its next session. Its ticket is valid for a minute. */
const answerMilliseconds = 40_000

/** A session that has just begun stays, so that a proxy with sticky clients does not move it again and again. */
const minAgeMilliseconds = 120_000

/** How many sessions more than the average an instance keeps. */
const toleratedSessions = 10
const toleratedShare = 0.25

const maxMovesPerRound = 50

interface SpreadDependencies {
  readonly timers: Pick<Timers, 'monotonic'>
  readonly store: SpreadStore
  readonly instanceId: string
  readonly leaseSeconds: number
}

/**
 * Moves sessions from an instance with many to instances with few, for example after a rolling restart. Once a minute, a
 * part of the excess is announced with `session.moving`. A session ends only if its client has then requested the next
 * session of the conversation, so clients that ignore the event stay.
 */
export class SessionSpread {
  readonly #dependencies: SpreadDependencies
  readonly #announced = new Map<string, { readonly session: RealtimeSession; readonly at: number }>()
  /** Sessions whose clients did not request the next one. They are not asked again. */
  readonly #staying = new WeakSet<RealtimeSession>()
  #comparedAt = Number.NEGATIVE_INFINITY

  constructor(dependencies: SpreadDependencies) {
    this.#dependencies = dependencies
  }

  /** Must be called every few seconds with the sessions of this instance. */
  async poll(sessions: readonly RealtimeSession[]): Promise<void> {
    if (this.#announced.size > 0) await this.#endPrepared()
    const now = this.#dependencies.timers.monotonic()
    if (sessions.length <= toleratedSessions || now - this.#comparedAt < compareMilliseconds) return
    this.#comparedAt = now
    const { store, instanceId, leaseSeconds } = this.#dependencies
    const count = movedCount(await store.sessionLoads(leaseSeconds), instanceId)
    const movable = sessions.filter(
      (session) => session.ageMilliseconds >= minAgeMilliseconds && !this.#staying.has(session),
    )
    for (const session of movable.slice(0, count)) {
      session.announceMove(answerMilliseconds / 1000)
      this.#announced.set(session.id, { session, at: now })
    }
  }

  async #endPrepared(): Promise<void> {
    const { store, timers } = this.#dependencies
    const prepared = new Set(await store.sessionsWithSuccessor([...this.#announced.keys()]))
    for (const [id, { session, at }] of this.#announced) {
      if (prepared.has(id) && !session.isTalking)
        session.end('draining', 'The session moves to another instance. Continue it in a new session.')
      const isOver = timers.monotonic() - at > answerMilliseconds
      if (isOver && !prepared.has(id)) this.#staying.add(session)
      if (session.isEnded || isOver) this.#announced.delete(id)
    }
  }
}

/** Returns how many sessions an instance should move now: a fifth of its excess over the average. */
function movedCount(loads: readonly InstanceLoad[], instanceId: string): number {
  const own = loads.find((load) => load.instanceId === instanceId)?.sessions ?? 0
  const average = loads.reduce((sum, { sessions }) => sum + sessions, 0) / Math.max(loads.length, 1)
  const excess = own - average
  if (excess <= Math.max(toleratedSessions, average * toleratedShare)) return 0
  return Math.min(Math.ceil(excess / 5), maxMovesPerRound)
}
