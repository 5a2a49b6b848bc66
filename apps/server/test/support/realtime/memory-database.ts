import type { EndReason, RealtimeUsage } from '@parley/contract'
import type { MessageRecord } from '#server/ports/conversation-stores.js'
import type { Database, OwnedDatabase, Stores, WorkOwner } from '#server/ports/database.js'

/**
 * `losing`: the statement runs, but its response is lost. `slow`: no response until the condition changes.
 * `full`: it responds but has no space.
 */
export type DatabaseCondition = 'up' | 'away' | 'losing' | 'slow' | 'full'

class DiskFull extends Error {}

/** The rows of one session behind a connection that can fail. */
export class MemoryDatabase implements Database {
  readonly stores: Stores
  readonly #messages = new Map<string, MessageRecord>()
  #condition: DatabaseCondition = 'up'
  #refusals: number
  #waiting: (() => void)[] = []
  endReason: EndReason | null = null
  usage: RealtimeUsage | null = null
  writesTried = 0

  /** Rejects this number of writes first, while it is available. */
  constructor(refusals: number) {
    this.#refusals = refusals
    this.stores = {
      // Nothing ever waits here, and this is known in every condition.
      approvals: { decide: async () => null, list: async () => ({ items: [], totalCount: 0 }) },
      conversations: {
        addMessage: (message: MessageRecord) => this.#write(() => this.#add(message)),
        markInterrupted: (_: string, itemId: string) => this.#write(() => this.#interrupt(itemId)),
      },
      budgets: { limiting: async () => [] },
      prices: { matching: async () => [] },
      usageLedger: {
        add: () => this.#write(() => true),
        sumOf: async () => ({ cost: '0' }),
      },
      realtimeExchanges: {
        save: () => this.#write(() => undefined),
      },
      realtimeSessions: {
        saveUsage: (_: string, usage: RealtimeUsage) =>
          this.#write(() => {
            this.usage = usage
          }),
        end: (_: string, reason: EndReason) =>
          this.#write(() => {
            this.endReason ??= reason
          }),
      },
    } as unknown as Stores
  }

  /** The stored messages in the order of the conversation. */
  get messages(): MessageRecord[] {
    return [...this.#messages.values()].sort(
      (one, other) =>
        one.positionMicroseconds - other.positionMicroseconds || one.positionCounter - other.positionCounter,
    )
  }

  set condition(condition: DatabaseCondition) {
    this.#condition = condition
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  observeStatements(): void {}

  connections() {
    return { used: 0, idle: 0, waiting: 0, max: 0 }
  }

  /** Sessions never read the backlog. */
  backlog(): Promise<never> {
    return Promise.reject(new Error('This database does not support counts.'))
  }

  /** Sessions never make a dry run. */
  dryRun(): Promise<never> {
    return Promise.reject(new Error('This database does not support dry runs.'))
  }

  transaction<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result> {
    return work(this.stores)
  }

  runFairly<Result>(_: WorkOwner, work: () => Promise<Result>): Promise<Result> {
    return work()
  }

  ownedBy(): OwnedDatabase {
    return this
  }

  readonly dump = null

  onChange(): void {}

  onLogEntry(): void {}

  isOutage(): boolean {
    return this.#condition !== 'up'
  }

  isBusy(): boolean {
    return false
  }

  async hasNewerSchema() {
    return false
  }

  isDiskFull() {
    return false
  }

  isFull(error: unknown): boolean {
    return error instanceof DiskFull
  }

  async now(): Promise<number> {
    return Date.now()
  }

  async ping(): Promise<void> {
    await this.#turn()
    if (this.#condition === 'away' || this.#condition === 'losing') throw new Error('away')
  }

  async returned(): Promise<void> {
    while (this.#condition === 'away' || this.#condition === 'losing')
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  async close(): Promise<void> {}

  async #write<Result>(effect: () => Result): Promise<Result> {
    this.writesTried += 1
    await this.#turn()
    if (this.#refusals > 0) {
      this.#refusals -= 1
      throw new Error('refused')
    }
    if (this.#condition === 'away') throw new Error('away')
    if (this.#condition === 'full') throw new DiskFull()
    const result = effect()
    if (this.#condition === 'losing') throw new Error('lost')
    return result
  }

  async #turn(): Promise<void> {
    while (this.#condition === 'slow') await new Promise<void>((resolve) => void this.#waiting.push(resolve))
  }

  #add(message: MessageRecord): string {
    const key = `${message.itemId}#${message.contentIndex}`
    const stored = this.#messages.get(key) ?? message
    this.#messages.set(key, stored)
    return stored.id
  }

  #interrupt(itemId: string): void {
    for (const [key, message] of this.#messages)
      if (message.itemId === itemId) this.#messages.set(key, { ...message, interrupted: true })
  }
}
