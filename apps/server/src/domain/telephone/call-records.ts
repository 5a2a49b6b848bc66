import type { Database, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { LostCalls, PhoneCallEnd, PhoneCallRecord } from '../../ports/phone-stores.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import { systemCaller } from '../caller-scope.js'
import { countCall } from '../usage/count-use.js'
import { callMilliseconds } from './call-duration.js'
import { detailsOf } from './phone-calls.js'

interface Owner {
  readonly organizationId: string
}

interface CallRecordsDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/** How many lost calls may fail to be ended until the next pass. */
const maxFailed = 100

/** Stores what happens to calls, with its audit records. */
export class CallRecords {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log

  constructor({ database, clock, log }: CallRecordsDependencies) {
    this.#database = database
    this.#clock = clock
    this.#log = log
  }

  now(): string {
    return this.#clock.now().toISOString()
  }

  storesOf(owner: Owner): Stores {
    return this.#owned(owner).stores
  }

  transaction<Result>(owner: Owner, work: (stores: Stores) => Promise<Result>): Promise<Result> {
    return this.#owned(owner).transaction(work)
  }

  /** Changes a call that has not ended. */
  async change(call: PhoneCallRecord, changes: Parameters<Stores['phoneCalls']['change']>[1]): Promise<void> {
    await this.storesOf(call).phoneCalls.change(call.id, changes, this.now())
  }

  /** Ends a call, or only if the instance `onlyOf` runs it. Has no effect on an ended call. */
  async end(
    call: PhoneCallRecord,
    end: Omit<PhoneCallEnd, 'at'> & { readonly at?: string },
    onlyOf: string | null = null,
  ): Promise<void> {
    await this.transaction(call, async (stores) => {
      const ended = await stores.phoneCalls.end(call.id, { at: this.now(), ...end }, onlyOf)
      if (ended !== null) await this.#recordEnd(stores, ended)
    })
  }

  /**
   * Ends lost calls, except those with these ids. Returns how many. Each has its own transaction, because the count of its
   * minutes locks rows of its organization, and because one that cannot be recorded must not affect the others.
   */
  async endLost(lost: LostCalls, end: PhoneCallEnd, except: readonly string[] = []): Promise<number> {
    const failed: string[] = []
    for (let count = 0; ; ) {
      let id: string | null = null
      try {
        await this.#database.transaction(async (stores) => {
          const ended = await stores.phoneCalls.endLost({ lost, except: [...except, ...failed], end })
          id = ended?.id ?? null
          if (ended !== null) await this.#recordEnd(stores, ended)
        })
        if (id === null) return count
        count += 1
      } catch (error) {
        if (id === null || failed.length >= maxFailed) throw error
        failed.push(id)
        this.#log.error({ err: error, callId: id }, 'a lost call could not be ended')
      }
    }
  }

  /** Records the end of a call, and counts its duration. Must be the last step of a transaction. */
  async #recordEnd(stores: Stores, call: PhoneCallRecord): Promise<void> {
    await this.record(stores, call, 'phone_call.end')
    const milliseconds = callMilliseconds(call)
    if (milliseconds === null) return
    const { id, organizationId, agentId, apiKeyId, endUserId, phoneConnectionId, direction } = call
    const connection = await stores.phoneConnections.find(organizationId, phoneConnectionId)
    await countCall({ clock: this.#clock }, stores, {
      id,
      organizationId,
      agentId,
      apiKeyId,
      endUserId,
      phoneConnectionId,
      milliseconds,
      kind: connection?.kind ?? 'unknown',
      at: call.endedAt ?? this.now(),
      pricePerMinute: connection?.pricePerMinute?.[direction] ?? null,
    })
  }

  record(stores: Stores, call: PhoneCallRecord, action: string): Promise<void> {
    const caller = systemCaller(call.organizationId)
    const details = { ...detailsOf(call), ...(call.endReason && { endReason: call.endReason }) }
    return recordChange(this.#clock, { stores, caller }, { action, type: 'PhoneCall', id: call.id, details })
  }

  #owned({ organizationId }: Owner) {
    return this.#database.ownedBy({ organizationId, kind: 'call' })
  }
}
