import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import { ConnectionNames } from './connection-names.js'
import type { Block } from './output-blocks.js'
import type { Engine } from './pglite-session.js'
import { type Request, RequestReader } from './request-reader.js'
import type { SessionLock } from './session-lock.js'
import { makeErrorResponse, makeReadyForQuery, ProtocolViolation } from './wire-messages.js'

export interface SharedSession {
  readonly engine: Engine
  readonly hold: SessionLock
  readonly lockTimeoutMilliseconds: number
  readonly idleTransactionMilliseconds: number
  readonly greeting: Uint8Array
  /** The database cannot go on. */
  readonly onBroken: (error: unknown) => void
}

type Statement = Extract<Request, { readonly bytes: Buffer }>

const encryptionRefused = Buffer.from('N')

/**
 * One client's connection, on the database's side.
 *
 *   waiting ──hold──► executing ──ready: idle──► (hold released) waiting
 *      │                 └──ready: in a transaction, or flushed──► waiting, the hold kept
 *      └──no hold in time──► error, skipping to Sync
 *   any ──Terminate | port closed | protocol broken | idle too long with the hold──► rolled back, statements
 *         forgotten, hold released
 */
export class ServedConnection {
  readonly #port: MessagePort
  readonly #session: SharedSession
  readonly #names: ConnectionNames
  readonly #reader: RequestReader
  #queue: Request[] = []
  #isServing = false
  #isSkippingToSync = false
  #isClosed = false
  #idleTimer: NodeJS.Timeout | undefined

  constructor(port: MessagePort, connectionNumber: number, session: SharedSession) {
    this.#port = port
    this.#session = session
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
    if (!this.#isServing) this.#serve().catch(this.#session.onBroken)
  }

  async #serve(): Promise<void> {
    this.#isServing = true
    for (let request = this.#queue.shift(); request; request = this.#queue.shift()) {
      await this.#answer(request)
      // What others have sent meanwhile is heard only now; without this a client that sends ahead goes first always.
      if (this.#queue.length > 0) await nextTurn()
    }
    this.#isServing = false
  }

  async #answer(request: Request): Promise<void> {
    switch (request.kind) {
      case 'encryption':
        return this.#sendCopy(encryptionRefused)
      case 'startup':
        return this.#sendCopy(this.#session.greeting)
      case 'terminate':
        return this.#close()
      default:
        return this.#isSkippingToSync ? this.#skip(request) : this.#execute(request)
    }
  }

  async #execute(request: Statement): Promise<void> {
    const { engine, hold, lockTimeoutMilliseconds, idleTransactionMilliseconds } = this.#session
    const outcome = await hold.acquire(this, lockTimeoutMilliseconds)
    if (this.#isClosed) return
    if (outcome !== 'held') return this.#refuse(request)
    clearTimeout(this.#idleTimer)
    if (request.kind === 'flush') await engine.runPart(request.bytes, this.#send)
    else if ((await engine.run(request.bytes, this.#send)) === 'idle') return hold.release(this)
    this.#idleTimer = setTimeout(() => this.#endIdleTransaction(), idleTransactionMilliseconds)
  }

  /** A transaction that nobody goes on with would keep all others out for ever. */
  #endIdleTransaction(): void {
    const seconds = this.#session.idleTransactionMilliseconds / 1000
    this.#fail(
      '25P03',
      `A transaction was left open for ${seconds} s without a statement, and is rolled back.`,
    )
  }

  #refuse(request: Statement): void {
    const seconds = this.#session.lockTimeoutMilliseconds / 1000
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
    this.#session.hold.abandon(this)
    this.#leave().catch(this.#session.onBroken)
  }

  /** Leaves nothing behind in the session: no transaction, no statements. */
  async #leave(): Promise<void> {
    const { engine, hold } = this.#session
    const closeStatements = this.#names.closeStatements()
    if (closeStatements.length === 0 && !hold.isHeldBy(this)) return
    await hold.acquire(this)
    await engine.reset(closeStatements)
    hold.release(this)
  }

  readonly #send = (block: Block): void => this.#port.postMessage(block, [block.buffer])

  #sendCopy(bytes: Uint8Array): void {
    this.#send(new Uint8Array(bytes))
  }
}
