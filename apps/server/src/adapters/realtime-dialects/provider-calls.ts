import { BoundedMap } from '../../concurrency/bounded-map.js'
import { makeId } from './server-event.js'

/** No session has more open calls. The oldest ones are forgotten beyond this. */
const maxOpenCalls = 1000

/**
 * The open calls of a session. Providers' ids may be long, missing or repeated, so clients get others. `Call` is
 * the part of a call that the provider needs with its output.
 */
export class ProviderCalls<Call extends { readonly providerId: string | null }> {
  readonly #open = new BoundedMap<string, Call>(maxOpenCalls)

  get size(): number {
    return this.#open.size
  }

  some(condition: (call: Call) => boolean): boolean {
    return [...this.#open.values()].some(condition)
  }

  /** Remembers a call and returns its id for clients. */
  open(call: Call): string {
    const callId = makeId('call')
    this.#open.set(callId, call)
    return callId
  }

  /** Returns a call and forgets it. Null if it is unknown or already answered. */
  take(callId: string): Call | null {
    const call = this.#open.get(callId) ?? null
    this.#open.delete(callId)
    return call
  }

  /** Forgets calls that the provider no longer waits for. Their outputs count as unknown. */
  cancel(providerIds: readonly string[]): void {
    this.takeAll(({ providerId }) => providerId !== null && providerIds.includes(providerId))
  }

  /** Forgets the calls that meet the condition. Returns their ids for clients. */
  takeAll(condition: (call: Call) => boolean): readonly string[] {
    const taken = [...this.#open].filter(([, call]) => condition(call)).map(([callId]) => callId)
    for (const callId of taken) this.#open.delete(callId)
    return taken
  }

  /** Forgets all calls, because the provider's session is a new one. */
  clear(): void {
    this.#open.clear()
  }
}
