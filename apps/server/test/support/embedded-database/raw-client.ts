import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { makeMessage, makeStrings } from '#server/adapters/database/embedded/wire-messages.js'

export interface RawMessage {
  readonly type: string
  readonly body: Buffer
}

/** Speaks the protocol byte by byte on a connection of its own. */
export class RawClient {
  readonly stream: Duplex
  #received = Buffer.alloc(0)
  #wake: () => void = () => {}
  #isEnded = false

  constructor(pool: pg.Pool) {
    const stream = pool.options.stream?.()
    if (!(stream && 'connect' in stream && typeof stream.connect === 'function'))
      throw new Error('The pool has no streams of its own.')
    this.stream = stream
    stream.connect()
    stream.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    stream.on('close', () => {
      this.#isEnded = true
      this.#wake()
    })
  }

  static async start(pool: pg.Pool): Promise<RawClient> {
    const client = new RawClient(pool)
    client.stream.write(startupPacket)
    await client.readUntil('Z')
    return client
  }

  /** Everything up to a message of this type. */
  async readUntil(type: string): Promise<RawMessage[]> {
    const messages: RawMessage[] = []
    for (;;) {
      const header = await this.readBytes(5)
      const message = {
        type: String.fromCharCode(header[0] ?? 0),
        body: await this.readBytes(header.readInt32BE(1) - 4),
      }
      messages.push(message)
      if (message.type === type) return messages
    }
  }

  /** The types of the answer's messages, in a row; ReadyForQuery with its status. */
  async readTypes(until = 'Z'): Promise<string> {
    const messages = await this.readUntil(until)
    return messages.map(({ type, body }) => (type === 'Z' ? `Z(${body})` : type)).join(' ')
  }

  async readBytes(count: number): Promise<Buffer> {
    while (this.#received.length < count) {
      if (this.#isEnded) throw new Error('The connection has ended.')
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const bytes = this.#received.subarray(0, count)
    this.#received = this.#received.subarray(count)
    return bytes
  }
}

export const startupPacket = startup(196608, makeStrings('user', 'postgres', ''))
export const encryptionRequest = startup(80877103)

function startup(code: number, body: Uint8Array = Buffer.alloc(0)): Buffer {
  const packet = Buffer.alloc(8 + body.length)
  packet.writeInt32BE(packet.length, 0)
  packet.writeInt32BE(code, 4)
  packet.set(body, 8)
  return packet
}

export const query = (text: string) => makeMessage('Q', makeStrings(text))
export const parse = (name: string, text: string) =>
  makeMessage('P', makeStrings(name, text), Buffer.alloc(2))
export const bind = (portal: string, statement: string) =>
  makeMessage('B', makeStrings(portal, statement), Buffer.alloc(6))
export const describePortal = (name: string) => makeMessage('D', makeStrings(`P${name}`))
export const describeStatement = (name: string) => makeMessage('D', makeStrings(`S${name}`))
export const closeStatement = (name: string) => makeMessage('C', makeStrings(`S${name}`))
export const sync = makeMessage('S')
export const flush = makeMessage('H')
export const terminate = makeMessage('X')

export function execute(portal: string, maxRows = 0): Buffer {
  const rows = Buffer.alloc(4)
  rows.writeInt32BE(maxRows)
  return makeMessage('E', makeStrings(portal), rows)
}
