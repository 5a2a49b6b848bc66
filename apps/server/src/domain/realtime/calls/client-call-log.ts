import type { ProviderEvent } from '../protocol/provider-event.js'
import type { MadeCall } from './call-reader.js'

/** The maximum memory of the calls and outputs. The oldest are dropped beyond it. */
const maxBytes = 256 * 1024

interface ClientCall extends MadeCall {
  /** The client's frame with the output. Null until the client has answered. */
  readonly output: Buffer | null
  /** Whether a response was created after the output. */
  readonly isRead: boolean
}

/**
 * The calls of the client's tools whose outputs no completed response has read. They are not stored, so another provider
 * learns them from here.
 */
export class ClientCallLog {
  readonly #calls = new Map<string, ClientCall>()
  #bytes = 0

  get made(): readonly MadeCall[] {
    return [...this.#calls.values()]
  }

  get outputs(): readonly Buffer[] {
    return [...this.#calls.values()].flatMap(({ output }) => output ?? [])
  }

  /** May be called repeatedly for the same call. */
  add({ callId, name, argumentsText }: MadeCall): void {
    if (!this.#calls.has(callId)) this.#put({ callId, name, argumentsText, output: null, isRead: false })
  }

  answer(callId: string, frame: Buffer): void {
    const call = this.#calls.get(callId)
    if (call !== undefined) this.#put({ ...call, output: Buffer.from(frame) })
  }

  observe(event: ProviderEvent): void {
    if (this.#calls.size === 0) return
    if (event.type === 'response.created' && !event.isOutOfBand) {
      for (const call of this.#calls.values()) if (call.output !== null) this.#put({ ...call, isRead: true })
    } else if (event.type === 'response.done' && event.status === 'completed') {
      for (const call of this.#calls.values()) if (call.isRead) this.#remove(call)
    }
  }

  #put(call: ClientCall): void {
    const known = this.#calls.get(call.callId)
    this.#bytes += bytesOf(call) - (known === undefined ? 0 : bytesOf(known))
    this.#calls.set(call.callId, call)
    for (const oldest of this.#calls.values()) {
      if (this.#bytes <= maxBytes) return
      this.#remove(oldest)
    }
  }

  #remove(call: ClientCall): void {
    if (this.#calls.delete(call.callId)) this.#bytes -= bytesOf(call)
  }
}

function bytesOf({ argumentsText, output }: ClientCall): number {
  return argumentsText.length * 2 + (output?.length ?? 0)
}
