import type { ConnectionNames } from './connection-names.js'
import { MessageSplitter } from './message-splitter.js'
import { clientMessage, makeMessage, makeStrings, ProtocolViolation } from './wire-messages.js'

/** What a client asks for, in messages that are executed together. */
export type Request =
  | { readonly kind: 'encryption' | 'startup' | 'terminate' }
  /** Answered up to ReadyForQuery. `sync` also ends the skipping that follows an error. */
  | { readonly kind: 'query' | 'sync'; readonly bytes: Buffer }
  /** Answered so far; the client goes on before it lets the database be ready for others. */
  | { readonly kind: 'flush'; readonly bytes: Buffer }

const startupCodes = { cancel: 80877102, encryption: [80877103, 80877104] } as const

/**
 * Follows whatever may be a COPY FROM STDIN, for which the embedded database would read on past the end of its input
 * and die. Where there is no such COPY it is ignored, as the protocol says.
 */
const refuseCopy = makeMessage('f', makeStrings('the embedded database takes no COPY FROM STDIN; use INSERT'))

const ends: ReadonlyMap<number, 'query' | 'sync' | 'flush'> = new Map([
  [clientMessage.query, 'query'],
  [clientMessage.sync, 'sync'],
  [clientMessage.flush, 'flush'],
])
const parts: ReadonlySet<number> = new Set([
  clientMessage.bind,
  clientMessage.close,
  clientMessage.describe,
  clientMessage.execute,
  clientMessage.parse,
])
const leftovers: ReadonlySet<number> = new Set([
  clientMessage.copyData,
  clientMessage.copyDone,
  clientMessage.copyFail,
])

/** Turns the bytes of one connection into requests, with the connection's own statement names in them. */
export class RequestReader {
  readonly #splitter = new MessageSplitter()
  readonly #names: ConnectionNames
  #isStarted = false
  #batch: Buffer[] = []

  constructor(names: ConnectionNames) {
    this.#names = names
  }

  *read(chunk: Uint8Array): Generator<Request, void> {
    this.#splitter.append(chunk)
    for (;;) {
      const message = this.#splitter.take(this.#isStarted ? 1 : 0)
      if (!message) return
      const request = this.#isStarted ? this.#readMessage(message) : this.#readStartup(message)
      if (request) yield request
    }
  }

  #readStartup(message: Buffer): Request {
    const code = message.length < 8 ? 0 : message.readInt32BE(4)
    if (startupCodes.encryption.some((known) => known === code)) return { kind: 'encryption' }
    if (code === startupCodes.cancel) return { kind: 'terminate' }
    this.#isStarted = true
    return { kind: 'startup' }
  }

  #readMessage(message: Buffer): Request | null {
    const type = message[0] ?? 0
    if (type === clientMessage.terminate) return { kind: 'terminate' }
    if (leftovers.has(type)) return null
    const end = ends.get(type)
    // Of a message that it does not know the database would die, and all connections with it.
    if (end === undefined && !parts.has(type))
      throw new ProtocolViolation(`The embedded database does not know messages of type ${type}.`)
    this.#batch.push(this.#names.rename(message))
    if (type === clientMessage.query || type === clientMessage.execute) this.#batch.push(refuseCopy)
    if (end === undefined) return null
    const bytes = Buffer.concat(this.#batch)
    this.#batch = []
    return { kind: end, bytes }
  }
}
