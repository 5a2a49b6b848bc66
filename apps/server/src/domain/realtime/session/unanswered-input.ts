import type { ProviderEvent } from '../protocol/provider-event.js'
import { KeptAudio, type KeptTurn } from './kept-audio.js'

/** The maximum memory of the client's frames. */
const maxBytes = 256 * 1024

/** No user speaks more often without a response. */
const maxWaiting = 100

interface TypedMessage {
  readonly frame: Buffer
  readonly itemId: string | null
}

/** The response that the provider works on. */
interface CurrentResponse {
  readonly id: string | null
  /** The input that it answers. */
  readonly covers: readonly (string | null)[]
  readonly isRequested: boolean
  /** Whether the user or the client has said something since the response began. */
  readonly isFollowed: boolean
  /** Whether some of its words are known, and whether all words of its last message are. */
  readonly hasWords: boolean
  readonly isWhole: boolean
  readonly hasCall: boolean
  /** Whether the provider has lost its own connection during the response. It may continue the answer in another one. */
  readonly isCutOff: boolean
}

/** The input that another provider must receive if this one is lost. */
export interface Unanswered {
  /** The user's turns whose words are not known, oldest first. */
  readonly turns: readonly KeptTurn[]
  /** The audio since the last turn. */
  readonly heard: readonly Buffer[]
  /** The client's frames with messages that the provider has not confirmed. */
  readonly typed: readonly Buffer[]
  /** Whether an answer was due or was cut off. */
  readonly isAnswerDue: boolean
  /** Whether an answer was cut off after its first words, and nothing else was said since then. */
  readonly isCutOff: boolean
}

/**
 * The input of the user and the client that no provider has answered. It is kept only if the agent has several models.
 *
 * Speech and typed text become part of the history when their words are known. Until then, this class keeps them. It also
 * remembers which of them no response has answered.
 */
export class UnansweredInput {
  readonly #audio: KeptAudio
  #typed: TypedMessage[] = []
  #request: Buffer | null = null
  /** The item ids of the committed speech that no response covers. */
  #waiting: (string | null)[] = []
  #current: CurrentResponse | null = null
  /** Whether the answer of a former provider was cut off, and none of its successors has continued it. */
  #isCutOff = false
  #hasNewInput = false

  constructor(inputBytesPerMillisecond: number) {
    this.#audio = new KeptAudio(inputBytesPerMillisecond)
  }

  /** The client's last request for a response. Null if it has sent none since the last move. */
  get clientRequest(): Buffer | null {
    return this.#request
  }

  /** Whether the provider works on a response. */
  get isAnswering(): boolean {
    return this.#current !== null && !this.#current.isCutOff
  }

  /** Whether the provider has heard speech that no response covers. It may choose not to answer. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  get isUserSpeaking(): boolean {
    return this.#audio.isSpeaking
  }

  /** Whether the user or the client has sent input since the last move. */
  get hasNewInput(): boolean {
    return this.#hasNewInput
  }

  /** The ids of the turns that can be sent again. */
  get keptItemIds(): ReadonlySet<string | null> {
    return new Set(this.#unansweredTurns().map(({ itemId }) => itemId))
  }

  hear(frame: Buffer): void {
    this.#audio.append(frame)
  }

  commit(): void {
    this.#audio.commit()
    this.#hasNewInput = true
  }

  clear(): void {
    this.#audio.clear()
  }

  /** Another provider does not know the item before this one, so the message goes to the end of its conversation. */
  noteTyped(frame: Buffer, itemId: string | null): void {
    this.#hasNewInput = true
    const { previous_item_id: _, ...event } = JSON.parse(frame.toString('utf8'))
    this.#typed.push({ frame: Buffer.from(JSON.stringify(event)), itemId })
    let bytes = this.#typed.reduce((sum, typed) => sum + typed.frame.length, 0)
    while (bytes > maxBytes) bytes -= this.#typed.shift()?.frame.length ?? bytes
  }

  /** Called when the client has sent the output of a call. */
  noteOutput(): void {
    this.#hasNewInput = true
  }

  noteRequest(frame: Buffer): void {
    this.#request = Buffer.from(frame)
  }

  /** `isRequested`: whether a request of the client or the service is pending. */
  observe(event: ProviderEvent, isRequested: boolean): void {
    switch (event.type) {
      case 'speech.started':
        return this.#audio.noteSpeech()
      case 'speech.committed':
        this.#audio.noteCommitted(event.itemId)
        this.#waiting = [...this.#waiting, event.itemId].slice(-maxWaiting)
        this.#hasNewInput = true
        return this.#noteFollowed()
      case 'user.done':
      case 'user.failed':
        return this.#audio.noteTranscribed(event.itemId)
      case 'item.echoed':
        // The start of the history is echoed as well.
        if (event.item.kind !== 'user-message' || event.item.itemId.startsWith('past_')) return
        if (event.item.parts.some(({ kind }) => kind === 'typed')) this.#confirmTyped(event.item.itemId)
        return
      case 'response.created':
        if (event.isOutOfBand) return
        this.#current = {
          id: event.responseId,
          covers: [...(this.#current?.covers ?? []), ...this.#waiting],
          isRequested,
          isFollowed: false,
          hasWords: false,
          isWhole: false,
          hasCall: false,
          isCutOff: false,
        }
        this.#waiting = []
        return
      case 'response.done':
        if (!this.#isCurrent(event.responseId)) return
        if (event.isCutOff) return this.#change(event.responseId, { isCutOff: true, isWhole: false })
        this.#current = null
        this.#isCutOff = false
        return
      case 'assistant.delta':
        return this.#change(event.responseId, { hasWords: true, isWhole: false })
      case 'assistant.done':
        return this.#change(event.responseId, { hasWords: true, isWhole: true })
      case 'output-item.added':
      case 'output-item.done':
        if (event.item.kind === 'call') this.#change(event.responseId, { hasCall: true })
        return
      case 'call.arguments':
        return this.#change(event.responseId, { hasCall: true })
      default:
        return
    }
  }

  /** Returns what the next provider must receive. Must be called once per move. */
  take(): Unanswered {
    const turns = this.#unansweredTurns()
    const current = this.#current
    const isCut = current !== null && !current.isWhole && !current.hasCall
    const covered = isCut ? current.covers : []
    // A provider answers turns of the client's commits as it did before, with or without a request.
    const committedByClient = new Set(turns.filter((turn) => turn.isByClient).map(({ itemId }) => itemId))
    const isOwed = (itemId: string | null) => !committedByClient.has(itemId)
    const isUnfinished = current === null || (isCut && !current.isFollowed)
    const isBegun = this.#isCutOff || current?.hasWords === true
    const isCutOff = isUnfinished && isBegun && turns.length === 0 && this.#waiting.length === 0
    const isAnswerDue =
      this.#waiting.some(isOwed) ||
      (isCut && (current.isRequested || covered.length === 0 || covered.some(isOwed)))
    const typed = this.#typed.map(({ frame }) => frame)
    const taken = { turns, typed, isAnswerDue, isCutOff, heard: this.#audio.heard }
    const answered = this.#audio.turns.filter((turn) => !turns.includes(turn))
    for (const { itemId } of answered) this.#audio.noteTranscribed(itemId)
    this.#audio.restart()
    this.#waiting = []
    this.#current = null
    this.#request = null
    this.#isCutOff = isCutOff
    this.#hasNewInput = false
    return taken
  }

  /** A turn that was answered is not sent again, because it would be answered twice. */
  #unansweredTurns(): readonly KeptTurn[] {
    const { turns } = this.#audio
    const current = this.#current
    const cut = current !== null && !current.isWhole && !current.hasCall ? current.covers : []
    return turns.filter(
      ({ itemId }) => itemId === null || this.#waiting.includes(itemId) || cut.includes(itemId),
    )
  }

  #confirmTyped(itemId: string): void {
    const named = this.#typed.findIndex((typed) => typed.itemId === itemId)
    const at = named >= 0 ? named : this.#typed.findIndex((typed) => typed.itemId === null)
    // A provider may echo an item several times.
    if (at < 0) return
    this.#typed.splice(at, 1)
    this.#noteFollowed()
  }

  /** Called when the user or the client has said something. An answer that was cut off before that is not continued. */
  #noteFollowed(): void {
    if (this.#current?.isCutOff === true) this.#current = null
    if (this.#current === null) this.#isCutOff = false
    else this.#current = { ...this.#current, isFollowed: true }
  }

  #isCurrent(responseId: string | null): boolean {
    const id = this.#current?.id ?? null
    return responseId === null || id === null || responseId === id
  }

  #change(responseId: string | null, change: Partial<CurrentResponse>): void {
    if (this.#current !== null && this.#isCurrent(responseId)) this.#current = { ...this.#current, ...change }
  }
}
