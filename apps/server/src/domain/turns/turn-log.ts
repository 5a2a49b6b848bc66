import { ToolStatus, type TurnEvent } from '@parley/contract'
import type { MessageRecord, StoredTurnEvent, TurnRecord } from '../../ports/conversation-stores.js'
import type { Stores } from '../../ports/database.js'
import type { TaskRecord } from '../../ports/task-stores.js'
import { OrderedWrites, type OrderedWritesDependencies } from '../durability/ordered-writes.js'
import { noteRun } from '../tasks/settle-attempt.js'
import type { CallLog, FinishedCall } from '../tools/calls/call-records.js'
import { countUseAlone, type UseDependencies } from '../usage/count-use.js'
import type { ModelUse } from '../usage/model-use.js'
import type { UsedUp, UseLog } from '../usage/use-counter.js'
import type { TurnFeeds } from './follow-turn.js'
import { numberedAfter } from './turn-records.js'

const maxWaitingBytes = 4 * 1024 * 1024
/** The approximate memory of a queued write, excluding its text. */
const writeBytes = 512
/** The maximum length of queued deltas that are written as one event. */
const maxDeltaCharacters = 32_768

export interface TurnLogDependencies extends OrderedWritesDependencies, UseDependencies {
  readonly feeds: TurnFeeds
}

export interface TurnLogHooks {
  /** Called when too many writes are queued because the database is unavailable. */
  readonly onFull: () => void
  /** Called when another instance has ended the turn, because it considered this one dead. */
  readonly onEndedElsewhere: () => void
}

/** The values of the transaction that ends a turn. */
export interface TurnClosing {
  /** The database's time. */
  readonly positionMicroseconds: number
  /** The locked task of the attempt. Null if the turn is not an attempt. */
  readonly task: TaskRecord | null
}

type LoggedTurn = Pick<TurnRecord, 'id' | 'organizationId' | 'taskId'>

/**
 * Writes the events of a turn to the database, in order. Each entry is retried until it is stored, and its
 * events are published after that. Deltas that arrive faster than they can be written are combined.
 */
export class TurnLog implements CallLog, UseLog {
  readonly #dependencies: TurnLogDependencies
  readonly #turn: LoggedTurn
  readonly #turnId: string
  readonly #hooks: TurnLogHooks
  readonly #writes: OrderedWrites
  /** The number of the last event that is stored or queued. The first event is stored with the turn. */
  #sequence = 1
  /** A queued delta that can still be extended. */
  #openDelta: { text: string } | null = null

  constructor(dependencies: TurnLogDependencies, turn: LoggedTurn, hooks: TurnLogHooks) {
    const { id, organizationId } = turn
    this.#dependencies = dependencies
    this.#turn = turn
    this.#turnId = id
    this.#hooks = hooks
    this.#writes = new OrderedWrites(dependencies, {
      organizationId,
      owner: { turnId: id },
      maxWaitingBytes,
      onFull: hooks.onFull,
    })
  }

  /** Called for an event that another process has stored. */
  resumeAfter(sequence: number): void {
    this.#sequence = sequence
  }

  /** Stores an event that is not part of another write. */
  emit(event: TurnEvent): void {
    this.#openDelta = null
    this.#pushEvent(() => event, JSON.stringify(event).length)
  }

  emitDelta(delta: string, eventOf: (delta: string) => TurnEvent): void {
    if (this.#openDelta !== null && this.#openDelta.text.length < maxDeltaCharacters) {
      this.#openDelta.text += delta
      return
    }
    const open = { text: delta }
    this.#openDelta = open
    this.#pushEvent(() => {
      // From here on, the delta is being written. Later text belongs to the next event.
      if (this.#openDelta === open) this.#openDelta = null
      return eventOf(open.text)
    }, writeBytes)
  }

  /** Ends the turn with its last events, at the database's time. Nothing is written after that. */
  end(
    conversationId: string,
    events: readonly TurnEvent[],
    end: (stores: Stores, closing: TurnClosing) => Promise<void>,
  ): void {
    this.#openDelta = null
    const { database, feeds } = this.#dependencies
    const write = async () => {
      await database.transaction(async (stores) => {
        // Locks task, conversation and turn in this order, as everywhere, so that transactions cannot
        // deadlock.
        const { organizationId, taskId } = this.#turn
        const task = taskId === null ? null : await stores.tasks.findLocked(organizationId, taskId)
        await stores.conversations.lock(conversationId)
        // If another process has ended the turn, or its conversation was deleted, it stays unchanged.
        const positionMicroseconds = await stores.turns.lockOpen(this.#turnId)
        if (positionMicroseconds === null) return
        await stores.turns.addEvents(this.#turnId, numberedAfter(this.#sequence, events))
        await end(stores, { positionMicroseconds, task })
      })
      feeds.close(this.#turnId, this.#turn.organizationId)
    }
    void this.#push('end', writeBytes, write)
  }

  append(message: MessageRecord, events: readonly TurnEvent[]): Promise<boolean> {
    const { database } = this.#dependencies
    let isStored = false
    const written = this.#pushCall((message.arguments?.length ?? 0) * 2 + writeBytes, events, () =>
      database.transaction(async (stores) => {
        await stores.conversations.lock(message.conversationId)
        // A turn that has ended accepts no calls.
        const isOpen = (await stores.turns.lockOpen(this.#turnId)) !== null
        const stored = { ...message, updatedAt: this.#now() }
        isStored = isOpen && (await stores.conversations.addMessage(stored)) !== null
        if (!isOpen) this.#hooks.onEndedElsewhere()
      }),
    )
    return written.then((isWritten) => isWritten && isStored)
  }

  startCall(messageId: string, events: readonly TurnEvent[]): Promise<boolean> {
    const { conversations } = this.#dependencies.database.stores
    return this.#pushCall(writeBytes, events, () =>
      conversations.updateToolMessage(messageId, { status: ToolStatus.Pending }, this.#now()),
    )
  }

  finishCall({ messageId, approvalId, ...fields }: FinishedCall, events: readonly TurnEvent[]) {
    const { database } = this.#dependencies
    return this.#pushCall(fields.content.length * 2 + writeBytes, events, () =>
      database.transaction(async (stores) => {
        await stores.conversations.updateToolMessage(messageId, fields, this.#now())
        if (approvalId !== null) await stores.approvals.finish(approvalId, this.#now())
      }),
    )
  }

  withdrawApproval(approvalId: string): Promise<boolean> {
    const { approvals } = this.#dependencies.database.stores
    return this.#push('withdrawal', writeBytes, () =>
      approvals.withdraw(approvalId, this.#turnId, this.#now()),
    )
  }

  /**
   * Counts the usage of a model before the turn ends, so that it is counted before the answer is returned.
   */
  async countUse(use: ModelUse): Promise<readonly UsedUp[]> {
    let usedUp: readonly UsedUp[] = []
    await this.#push('use', writeBytes, async () => {
      usedUp = await countUseAlone(this.#dependencies, use)
    })
    return usedUp
  }

  /** Writes the turn's current activity to its task. */
  noteTask(detail: (task: TaskRecord) => string): void {
    const { organizationId, taskId } = this.#turn
    if (taskId === null) return
    const { database, clock } = this.#dependencies
    const note = { organizationId, taskId, turnId: this.#turnId, detail }
    void this.#push('note', writeBytes, () => database.transaction((stores) => noteRun(clock, stores, note)))
  }

  get waitingWrites(): number {
    return this.#writes.waitingCount
  }

  settled(): Promise<void> {
    return this.#writes.settled()
  }

  #pushEvent(eventOf: () => TurnEvent, bytes: number): void {
    let events: readonly StoredTurnEvent[] | null = null
    void this.#push('event', bytes, async () => {
      // The event is created only once, because the write may be retried.
      events ??= this.#numbered([eventOf()])
      await this.#store(events)
    })
  }

  /** Queues the events of a call directly after its write, before entries that are queued later. */
  #pushCall(bytes: number, events: readonly TurnEvent[], write: () => Promise<void>): Promise<boolean> {
    this.#openDelta = null
    let stored: readonly StoredTurnEvent[] | null = null
    return this.#push('call', bytes, async () => {
      await write()
      stored ??= this.#numbered(events)
      await this.#store(stored)
    })
  }

  #numbered(events: readonly TurnEvent[]): readonly StoredTurnEvent[] {
    const numbered = numberedAfter(this.#sequence, events)
    this.#sequence += events.length
    return numbered
  }

  async #store(events: readonly StoredTurnEvent[]): Promise<void> {
    if (events.length === 0) return
    const { database, feeds } = this.#dependencies
    if (await database.stores.turns.addEvents(this.#turnId, events)) feeds.publish(this.#turnId, events)
    else this.#hooks.onEndedElsewhere()
  }

  #push(kind: string, bytes: number, write: () => Promise<void>): Promise<boolean> {
    return this.#writes.push({ kind, bytes, write, part: null })
  }

  #now(): string {
    return this.#dependencies.clock.now().toISOString()
  }
}
