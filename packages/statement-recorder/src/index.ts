import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A statement sent to the database. */
export interface Statement {
  readonly text: string
  readonly values: readonly (string | null)[]
}

/**
 * A statement with the number of its round trip. Statements that are sent before the database responds share
 * a round trip.
 */
export interface RecordedStatement extends Statement {
  readonly trip: number
}

export interface StatementRecorder {
  /** The database URL through the recorder. */
  readonly url: string
  /** Returns the statements of all connections since the last call, in order of arrival. */
  take(): RecordedStatement[]
  close(): Promise<void>
}

/** A proxy between a service and PostgreSQL that records the statements. */
export async function recordStatements(databaseUrl: string): Promise<StatementRecorder> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let statements: RecordedStatement[] = []
  let lastTrip = 0
  const server = createServer((client) => {
    const database = connect(Number(port), hostname)
    let trip = 0
    const reader = new MessageReader((statement) => statements.push({ ...statement, trip }))
    client.on('data', (bytes) => {
      if (trip === 0) {
        lastTrip += 1
        trip = lastTrip
      }
      reader.read(bytes)
    })
    database.on('data', () => {
      trip = 0
    })
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.once('close', () => sockets.delete(socket))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = `${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    take() {
      const taken = statements
      statements = []
      return taken
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** Parses one connection's messages to the database, however they are split into chunks. */
class MessageReader {
  readonly #onStatement: (statement: Statement) => void
  readonly #prepared = new Map<string, string>()
  #rest: Buffer = Buffer.alloc(0)
  #isGreeted = false

  constructor(onStatement: (statement: Statement) => void) {
    this.#onStatement = onStatement
  }

  read(bytes: Uint8Array): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    for (;;) {
      // The first message has a length but no type.
      const head = this.#isGreeted ? 1 : 0
      if (this.#rest.length < head + 4) return
      const length = head + this.#rest.readUInt32BE(head)
      if (this.#rest.length < length) return
      if (this.#isGreeted) this.#take(String.fromCharCode(this.#rest[0] ?? 0), this.#rest.subarray(5, length))
      this.#isGreeted = true
      this.#rest = this.#rest.subarray(length)
    }
  }

  #take(type: string, body: Buffer): void {
    const fields = new FieldReader(body)
    if (type === 'Q') this.#onStatement({ text: fields.text(), values: [] })
    if (type === 'P') this.#prepared.set(fields.text(), fields.text())
    if (type !== 'B') return
    fields.text()
    const text = this.#prepared.get(fields.text()) ?? ''
    fields.skip(2 * fields.short())
    const values = Array.from({ length: fields.short() }, () => fields.value())
    this.#onStatement({ text, values })
  }
}

class FieldReader {
  readonly #body: Buffer
  #at = 0

  constructor(body: Buffer) {
    this.#body = body
  }

  text(): string {
    const end = this.#body.indexOf(0, this.#at)
    const text = this.#body.toString('utf8', this.#at, end)
    this.#at = end + 1
    return text
  }

  short(): number {
    this.#at += 2
    return this.#body.readUInt16BE(this.#at - 2)
  }

  value(): string | null {
    const length = this.#body.readInt32BE(this.#at)
    this.#at += 4
    if (length < 0) return null
    this.#at += length
    return this.#body.toString('utf8', this.#at - length, this.#at)
  }

  skip(bytes: number): void {
    this.#at += bytes
  }
}
