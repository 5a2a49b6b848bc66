import { setImmediate as nextMacrotask } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import { ConnectionNames } from './connection-names.js'
import type { Block } from './output-blocks.js'
import type { PgliteSession } from './pglite-session.js'
import { type Request, RequestReader } from './request-reader.js'
import type { SessionLock } from './session-lock.js'
import { makeErrorResponse, makeReadyForQuery, ProtocolViolation } from './wire-messages.js'

export interface SharedSession {
  readonly session: PgliteSession
  readonly lock: SessionLock
  readonly lockTimeoutMilliseconds: number
  readonly idleTransactionMilliseconds: number
  readonly greeting: Uint8Array
  /** The database cannot go on. */
  readonly onBroken: (error: unknown) => void
}

type Statement = Extract<Request, { readonly bytes: Buffer }>

const encryptionRefused = Buffer.from('N')

/** More than a transaction sends at once; of more than this the others would have to wait for the end. */
const maxTogether = 16

/**
 * One client's connection, on the database's side.
 *
 *   waiting ──lock──► executing ──ready: idle──► (lock released) waiting
 *      │                 └──ready: in a transaction, or flushed──► waiting, the lock kept
 *      └──no lock in time──► error, skipping to Sync
 *   any ──Terminate | port closed | protocol broken | idle too long with the lock──► rolled back, statements
 *         forgotten, lock released
 */
export class ServedConnection {
  readonly #port: MessagePort
  readonly #shared: SharedSession
  readonly #names: ConnectionNames
  readonly #reader: RequestReader
  #queue: Request[] = []
  #isServing = false
  #isSkippingToSync = false
  #isClosed = false
  #idleTimer: NodeJS.Timeout | undefined

  constructor(port: MessagePort, connectionNumber: number, shared: SharedSession) {
    this.#port = port
    this.#shared = shared
    this.#names = new ConnectionNames(connectionNumber)
    this.#reader = new RequestReader(this.#names)
    port.on('message', (chunk: Uint8Array) => this.#receive(chunk))
    port.on('close', () => this.#close())
  }

  #receive(chunk: Uint8Array): void {
    if (this.#isClosed) return
    try {
      for (const request of this.#reader.read(chunk)) this.#queue.push(request)
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error
      this.#fail('08P01', error.message)
      return
    }
    if (!this.#isServing) this.#serve().catch(this.#shared.onBroken)
  }

  async #serve(): Promise<void> {
    this.#isServing = true
    for (let request = this.#queue.shift(); request; request = this.#queue.shift()) {
      await this.#handle(request)
      // What others have sent meanwhile is read only now; without this a client that sends ahead goes first always.
      if (this.#queue.length > 0) await nextMacrotask()
    }
    this.#isServing = false
  }

  async #handle(request: Request): Promise<void> {
    switch (request.kind) {
      case 'encryption':
        return this.#sendCopy(encryptionRefused)
      case 'startup':
        return this.#sendCopy(this.#shared.greeting)
      case 'terminate':
        return this.#close()
      default:
        return this.#isSkippingToSync ? this.#skip(request) : this.#execute(this.#takeTogether(request))
    }
  }

  /**
   * What was sent in one go is executed and answered in one go. One by one, each statement was a message to and fro and a
   * pass of both event loops, a tenth of what creating a session costs (`npm run bench opening`).
   */
  #takeTogether(first: Statement): readonly Statement[] {
    const together = [first]
    for (let next = this.#queue[0]; isWhole(first) && next && isWhole(next); next = this.#queue[0]) {
      if (together.length === maxTogether) break
      together.push(next)
      this.#queue.shift()
    }
    return together
  }

  async #execute(requests: readonly Statement[]): Promise<void> {
    const { session, lock, lockTimeoutMilliseconds, idleTransactionMilliseconds } = this.#shared
    const outcome = await lock.acquire(this, lockTimeoutMilliseconds)
    if (this.#isClosed) return
    if (outcome !== 'held') {
      for (const request of requests) this.#refuse(request)
      return
    }
    clearTimeout(this.#idleTimer)
    const bytes = joined(requests)
    if (!requests.every(isWhole)) await session.runPart(bytes, this.#send)
    else if ((await session.run(bytes, this.#send)) === 'idle') return lock.release(this)
    this.#idleTimer = setTimeout(() => this.#endIdleTransaction(), idleTransactionMilliseconds)
  }

  /** A transaction that nobody goes on with would keep all others out for ever. */
  #endIdleTransaction(): void {
    const seconds = this.#shared.idleTransactionMilliseconds / 1000
    this.#fail(
      '25P03',
      `A transaction was left open for ${seconds} s without a statement, and is rolled back.`,
    )
  }

  #refuse(request: Statement): void {
    const seconds = this.#shared.lockTimeoutMilliseconds / 1000
    this.#sendCopy(
      makeErrorResponse({
        severity: 'ERROR',
        code: '55P03',
        message: `The embedded database was not free for ${seconds} s, because a transaction was open on another connection.`,
        hint: "Most likely a query is awaited inside a transaction without using the transaction's own handle; the two then wait for each other.",
      }),
    )
    if (request.kind === 'flush') this.#isSkippingToSync = true
    else this.#sendCopy(makeReadyForQuery('idle'))
  }

  /** After an error everything up to Sync is left out, as the protocol says. */
  #skip(request: Statement): void {
    if (request.kind !== 'sync') return
    this.#isSkippingToSync = false
    this.#sendCopy(makeReadyForQuery('idle'))
  }

  #fail(code: string, message: string): void {
    this.#sendCopy(makeErrorResponse({ severity: 'FATAL', code, message }))
    this.#close()
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    this.#queue = []
    this.#port.close()
    this.#shared.lock.abandon(this)
    this.#cleanUp().catch(this.#shared.onBroken)
  }

  /** Leaves nothing behind in the session: no transaction, no statements. */
  async #cleanUp(): Promise<void> {
    const { session, lock } = this.#shared
    const closeStatements = this.#names.closeStatements()
    if (closeStatements.length === 0 && !lock.isHeldBy(this)) return
    await lock.acquire(this)
    await session.reset(closeStatements)
    lock.release(this)
  }

  readonly #send = (block: Block): void => this.#port.postMessage(block, [block.buffer])

  #sendCopy(bytes: Uint8Array): void {
    this.#send(new Uint8Array(bytes))
  }
}

/** Whether the database is ready for others after it, or in a transaction. */
const isWhole = (request: Request): request is Statement =>
  request.kind === 'query' || request.kind === 'sync'

function joined(requests: readonly Statement[]): Buffer {
  const [first, ...others] = requests
  return first && others.length === 0 ? first.bytes : Buffer.concat(requests.map(({ bytes }) => bytes))
}
