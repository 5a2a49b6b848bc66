import { closeCodes, type EndReason } from '@parley/contract'
import type { MemoryDatabase } from './memory-database.js'
import type { MemoryFrame, MemorySocket } from './memory-socket.js'
import { clientFrames, longAnswer, type Side } from './session-commands.js'
import type { StoredTurn, TurnScript } from './turn-script.js'

interface Watched {
  readonly sockets: Readonly<Record<Side, MemorySocket>>
  readonly database: MemoryDatabase
  readonly scripts: readonly TurnScript[]
}

/** The facts of a run that are known to the test. */
interface RunState {
  readonly connect: 'pending' | 'opened' | 'too late' | 'failed'
  readonly isDone: boolean
  readonly waitingTimers: number
}

/** Records the input and output of a session and derives the expected results. */
export class SessionWitness {
  readonly #sockets: Watched['sockets']
  readonly #database: MemoryDatabase
  readonly #scripts: readonly TurnScript[]
  readonly #ends: EndReason[] = []
  readonly #countedEnds: EndReason[] = []
  readonly #violations: string[] = []
  readonly #announced: string[] = []
  readonly #meaning = new Map<Buffer, readonly [TurnScript, object]>()
  readonly #read: Record<Side, Buffer[]> = { client: [], provider: [] }
  readonly #refused: string[] = []
  #places = 0

  constructor({ sockets, database, scripts }: Watched) {
    this.#sockets = sockets
    this.#database = database
    this.#scripts = scripts
    sockets.client.onSent = (frame) => this.#noteSent(frame)
    sockets.client.onRead = (data) => this.#noteClientFrame(data)
    sockets.provider.onRead = (data) => this.#noteProviderFrame(data)
  }

  get isEnded(): boolean {
    return this.#ends.length > 0
  }

  noteCountedEnd(reason: EndReason): void {
    this.#countedEnds.push(reason)
  }

  noteWrong(what: string): void {
    this.#violations.push(what)
  }

  /** The frame reports this event of the turn once it is read. */
  noteMeaning(data: Buffer, script: TurnScript, event: object): void {
    this.#meaning.set(data, [script, event])
  }

  noteEnd(fields: object): void {
    if ('reason' in fields) this.#ends.push(fields.reason as EndReason)
    for (const script of this.#scripts) script.end()
  }

  /** The final stored rows, and the expected ones. */
  report({ connect, isDone, waitingTimers }: RunState) {
    const { client, provider } = this.#sockets
    const [reason] = this.#ends
    const toProvider = provider.sent.map(({ data }) => data)
    const isReported = reason !== undefined && reason !== 'client_left' && reason in closeCodes
    const code =
      reason !== undefined && reason in closeCodes ? closeCodes[reason as keyof typeof closeCodes] : 1011
    const isOpened = connect === 'opened'
    return {
      is: {
        ...this.#sofar(),
        isDone,
        rows: this.#rows(),
        toProvider: toProvider.filter((data) => typeof data !== 'string').map(labelOf),
        configurations: toProvider.filter((data) => typeof data === 'string').map(typeOf),
        // In any order: a decision is rejected after the database's response, everything else immediately.
        refusals: this.#errors()
          .slice(0, isReported ? -1 : undefined)
          .sort(),
        told: isReported ? this.#errors().at(-1) : null,
        lastWords: isReported ? client.sent.at(-1)?.data === this.#ownFrames().at(-1) : true,
        ends: this.#ends.length,
        counted: this.#countedEnds,
        stored: this.#database.endReason,
        usage: this.#database.usage?.responses ?? 0,
        clientCloses: client.closes,
        providerCloses: provider.closes.length,
        timers: waitingTimers,
      },
      mustBe: {
        violations: [],
        toClient: this.#read.provider.map(labelOf),
        isDone: true,
        rows: this.#expectedRows(),
        toProvider: isOpened ? this.#read.client.map(labelOf) : [],
        configurations: isOpened ? ['session.update'] : [],
        refusals: isOpened ? this.#refused.toSorted() : [],
        told: isReported ? reason : null,
        lastWords: true,
        ends: 1,
        counted: [reason],
        stored: reason,
        usage: this.#read.provider.filter((data) => data !== longAnswer && typeOf(data) === 'response.done')
          .length,
        clientCloses: [{ code, reason }],
        providerCloses: isOpened || connect === 'too late' ? 1 : 0,
        timers: 0,
      },
    }
  }

  /**
   * Checks the conditions that must always hold, even if the process dies now: stored words were spoken, in
   * this order.
   */
  reportNow() {
    const rows = this.#rows()
    const said = this.#expectedRows().filter((turn) => rows.some(({ itemId }) => itemId === turn.itemId))
    return {
      is: { ...this.#sofar(), rows: rows.map(wordsOf) },
      mustBe: { violations: [], toClient: this.#read.provider.map(labelOf), rows: said.map(wordsOf) },
    }
  }

  #sofar() {
    const toClient = this.#sockets.client.sent.map(({ data }) => data)
    return {
      violations: this.#violations,
      toClient: toClient.filter((data) => typeof data !== 'string').map(labelOf),
    }
  }

  #rows(): StoredTurn[] {
    return this.#database.messages.map(({ itemId, role, content, interrupted, failure }) => ({
      itemId,
      role: role as StoredTurn['role'],
      content,
      interrupted,
      failed: failure !== null,
    }))
  }

  #expectedRows(): StoredTurn[] {
    return this.#scripts
      .toSorted((one, other) => one.place - other.place)
      .flatMap((script) => script.stored ?? [])
  }

  #ownFrames(): string[] {
    return this.#sockets.client.sent.map(({ data }) => data).filter((data) => typeof data === 'string')
  }

  #errors(): string[] {
    return this.#ownFrames()
      .map(
        (text) => JSON.parse(text) as { readonly type: string; readonly error?: { readonly code: string } },
      )
      .flatMap(({ error }) => (error ? [error.code] : []))
  }

  #noteClientFrame(data: Buffer): void {
    if (this.#ends.length > 0) return
    const refusal = Object.values(clientFrames).find(([frame]) => frame === data)?.[2] ?? null
    if (refusal === null) this.#read.client.push(data)
    else this.#refused.push(refusal)
  }

  #noteProviderFrame(data: Buffer): void {
    if (this.#ends.length > 0) return
    this.#read.provider.push(data)
    const meaning = this.#meaning.get(data)
    meaning?.[0].wasRead(meaning[1], () => {
      this.#places += 1
      return this.#places
    })
  }

  /** An announced message is stored, was not announced before, and was spoken before. */
  #noteSent({ data }: MemoryFrame): void {
    if (typeof data !== 'string') return
    const event = JSON.parse(data) as { readonly type: string; readonly data?: { readonly id?: string } }
    const id = event.data?.id
    if (id === undefined) return
    const row = this.#database.messages.find((message) => message.id === id)
    const script = this.#scripts.find(({ itemId }) => itemId === row?.itemId)
    if (!row) this.#violations.push(`${event.type} of a message that is not stored`)
    if (this.#announced.includes(id)) this.#violations.push(`${event.type} of ${row?.itemId} again`)
    if (script?.isAnnounced === false) this.#violations.push(`${event.type} of ${row?.itemId} too early`)
    this.#announced.push(id)
  }
}

const typeOf = (data: Buffer | string) => (JSON.parse(data.toString()) as { readonly type: string }).type

/** A turn without its cut-off mark, which may come later. */
const wordsOf = ({ interrupted: _, ...words }: StoredTurn) => words

/** A frame in the output of a failing test. */
const labelOf = (data: Buffer | string) => `${data.slice(0, 90).toString('latin1')} (${data.length})`
