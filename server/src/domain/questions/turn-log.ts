import { ToolStatus, type TurnEvent } from '@parley/contract'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { StoredTurnEvent } from '../../ports/turn-store.js'
import { OrderedWrites, type OrderedWritesDependencies } from '../durability/ordered-writes.js'
import type { CallLog } from '../tools/calls/call-log.js'
import type { TurnFeeds } from './turn-feeds.js'

const maxWaitingBytes = 4 * 1024 * 1024
/** Words that wait are written together, up to here: nobody wants an event without end. */
const maxDeltaCharacters = 32_768

export interface TurnLogDependencies extends OrderedWritesDependencies {
  readonly clock: Clock
  readonly feeds: TurnFeeds
}

export interface TurnLogHooks {
  /** The database is away and too much waits for it. */
  readonly onFull: () => void
  /** Somebody else has ended the turn: this instance was taken for dead. */
  readonly onEndedElsewhere: () => void
}

/**
 * Writes down what happens in a turn, in order, each thing until it is in, and tells followers only then. Words that
 * come faster than they can be written are written together.
 */
export class TurnLog {
  readonly #dependencies: TurnLogDependencies
  readonly #turnId: string
  readonly #hooks: TurnLogHooks
  readonly #writes: OrderedWrites
  /** The last event that is stored, or about to be; the first is the turn's own. */
  #sequence = 1
  /** Words that wait to be written, and that more words may be added to. */
  #openDelta: { text: string } | null = null
  /** What is told of a call while it is written down. */
  #announced: TurnEvent[] | null = null

  constructor(dependencies: TurnLogDependencies, turnId: string, hooks: TurnLogHooks) {
    this.#dependencies = dependencies
    this.#turnId = turnId
    this.#hooks = hooks
    this.#writes = new OrderedWrites(dependencies, { turnId })
  }

  /** This event was stored by somebody else. */
  goOnAfter(sequence: number): void {
    this.#sequence = sequence
  }

  /** Something happened that followers are told. */
  tell(event: TurnEvent): void {
    if (this.#announced !== null) {
      this.#announced.push(event)
      return
    }
    this.#openDelta = null
    this.#pushEvent(() => event, JSON.stringify(event).length)
  }

  /** The model has said more. */
  say(delta: string, eventOf: (delta: string) => TurnEvent): void {
    if (this.#openDelta !== null && this.#openDelta.text.length < maxDeltaCharacters) {
      this.#openDelta.text += delta
      return
    }
    const words = { text: delta }
    this.#openDelta = words
    this.#pushEvent(() => {
      // From here on they are being written: what comes now is for the next event.
      if (this.#openDelta === words) this.#openDelta = null
      return eventOf(words.text)
    }, 512)
  }

  /** Ends the turn together with its last events, at the database's time; nothing is written after that. */
  end(
    conversationId: string,
    events: readonly TurnEvent[],
    end: (stores: Stores, microseconds: number) => Promise<void>,
  ): void {
    this.#openDelta = null
    const { database, feeds } = this.#dependencies
    const write = async () => {
      await database.transaction(async (stores) => {
        // The conversation before the turn, as everywhere: two who change both must not wait for each other.
        await stores.conversations.lock(conversationId)
        const numbered = events.map((event, index) => ({
          sequence: this.#sequence + 1 + index,
          event: JSON.stringify(event),
        }))
        // What has ended already, with its conversation or by somebody else, stays as it is.
        const microseconds = await stores.turns.lockOpen(this.#turnId)
        if (microseconds === null) return
        await stores.turns.addEvents(this.#turnId, numbered)
        await end(stores, microseconds)
      })
      feeds.close(this.#turnId)
    }
    this.#writes.push({ kind: 'end', bytes: 512, write })
  }

  /** Where the turn's tool calls are written down. */
  callLog(): CallLog {
    const { database, clock } = this.#dependencies
    const now = () => clock.now().toISOString()
    return {
      add: (message, announce) => {
        const add = async (stores: Stores) => {
          await stores.conversations.lock(message.conversationId)
          // Nothing is called in a turn that has ended.
          const isOpen = (await stores.turns.lockOpen(this.#turnId)) !== null
          if (isOpen) await stores.conversations.addMessage(message)
          else this.#hooks.onEndedElsewhere()
        }
        const bytes = (message.arguments?.length ?? 0) * 2 + 512
        this.#pushCall(bytes, () => database.transaction(add), announce)
      },
      started: (messageId, announce) => {
        const { conversations } = database.stores
        const write = () => conversations.updateToolMessage(messageId, { status: ToolStatus.Pending }, now())
        this.#pushCall(512, write, announce)
      },
      finished: (messageId, result, approvalId, announce) => {
        const finish = async (stores: Stores) => {
          await stores.conversations.updateToolMessage(messageId, result, now())
          if (approvalId !== null) await stores.approvals.finish(approvalId, now())
        }
        this.#pushCall(result.content.length * 2 + 512, () => database.transaction(finish), announce)
      },
      withdraw: (approvalId) => {
        this.#push('withdraw', 256, () => database.stores.approvals.withdraw(approvalId, now()))
      },
    }
  }

  /** Settles once everything is written. */
  settled(): Promise<void> {
    return this.#writes.settled()
  }

  #pushEvent(eventOf: () => TurnEvent, bytes: number): void {
    let events: readonly StoredTurnEvent[] | null = null
    this.#push('event', bytes, async () => {
      // Made once: the same write may be tried again.
      events ??= this.#numbered([eventOf()])
      await this.#store(events)
    })
  }

  /** What is told of a call has its place right after the call is written, before whatever was pushed meanwhile. */
  #pushCall(bytes: number, write: () => Promise<unknown>, announce: () => void): void {
    this.#openDelta = null
    let events: readonly StoredTurnEvent[] | null = null
    this.#push('call', bytes, async () => {
      await write()
      events ??= this.#numbered(this.#toldBy(announce))
      await this.#store(events)
    })
  }

  #toldBy(announce: () => void): readonly TurnEvent[] {
    const announced: TurnEvent[] = []
    this.#announced = announced
    try {
      announce()
    } finally {
      this.#announced = null
    }
    return announced
  }

  #numbered(events: readonly TurnEvent[]): readonly StoredTurnEvent[] {
    return events.map((event) => {
      this.#sequence += 1
      return { sequence: this.#sequence, event: JSON.stringify(event) }
    })
  }

  async #store(events: readonly StoredTurnEvent[]): Promise<void> {
    if (events.length === 0) return
    const { database, feeds } = this.#dependencies
    if (await database.stores.turns.addEvents(this.#turnId, events)) feeds.publish(this.#turnId, events)
    else this.#hooks.onEndedElsewhere()
  }

  #push(kind: string, bytes: number, write: () => Promise<void>): void {
    const waiting = this.#writes.push({ kind, bytes, write })
    if (waiting > maxWaitingBytes) this.#hooks.onFull()
  }
}
