/** A turn of the user that was committed, but whose words are not known yet. */
export interface KeptTurn {
  readonly frames: readonly Buffer[]
  /** Null until the provider has reported the commit. */
  readonly itemId: string | null
  /** Whether the client has committed it. Otherwise, the provider has detected the end of the speech. */
  readonly isByClient: boolean
}

type Turn = { -readonly [Field in keyof KeptTurn]: KeptTurn[Field] } & { frames: Buffer[] }

const maxMilliseconds = 10_000
/** The speech before the provider detects it. */
const preludeMilliseconds = 1000

/**
 * Copies of the user's audio that another provider must hear if this one is lost:
 *
 *   heard ──commit──► turn ──transcribed──► dropped
 *
 * If the provider reports when speech begins, only one second of the audio before that is kept. In total, at most ten
 * seconds are kept.
 */
export class KeptAudio {
  readonly #bytesPerMillisecond: number
  #turns: Turn[] = []
  /** The audio since the last commit. */
  #heard: Buffer[] = []
  #heardBytes = 0
  #turnBytes = 0
  #detectsSpeech = false
  #isSpeaking = false

  constructor(bytesPerMillisecond: number) {
    this.#bytesPerMillisecond = bytesPerMillisecond
  }

  get turns(): readonly KeptTurn[] {
    return this.#turns
  }

  get heard(): readonly Buffer[] {
    return this.#heard
  }

  get isSpeaking(): boolean {
    return this.#isSpeaking
  }

  /** Keeps a copy, so that a small frame does not keep a larger read buffer in memory. */
  append(frame: Buffer): void {
    this.#heard.push(Buffer.from(frame))
    this.#heardBytes += frame.length
    const isQuiet = this.#detectsSpeech && !this.#isSpeaking
    this.#trim(isQuiet ? preludeMilliseconds : maxMilliseconds)
  }

  noteSpeech(): void {
    this.#detectsSpeech = true
    this.#isSpeaking = true
  }

  /** Called when the client has sent a commit. */
  commit(): void {
    this.#endTurn(null, true)
  }

  /** Called when the provider has committed a turn, because of the client or of its own accord. */
  noteCommitted(itemId: string | null): void {
    this.#isSpeaking = false
    const unconfirmed = this.#turns.find((turn) => turn.itemId === null)
    if (unconfirmed === undefined) this.#endTurn(itemId, false)
    else unconfirmed.itemId = itemId
  }

  /** Called when the words of a turn are known, or will never be. Without an id, the oldest turn is meant. */
  noteTranscribed(itemId: string | null): void {
    const at = itemId === null ? 0 : this.#turns.findIndex((turn) => turn.itemId === itemId)
    const [turn] = at < 0 ? [] : this.#turns.splice(at, 1)
    if (turn !== undefined) this.#turnBytes -= bytesIn(turn.frames)
  }

  /** Called when the client has cleared the buffer. */
  clear(): void {
    this.#heard = []
    this.#heardBytes = 0
    this.#isSpeaking = false
  }

  /** Called when everything was sent to another provider, which will report its own events. */
  restart(): void {
    this.#detectsSpeech = false
    this.#isSpeaking = false
    for (const turn of this.#turns) turn.itemId = null
  }

  #endTurn(itemId: string | null, isByClient: boolean): void {
    if (this.#heard.length > 0) this.#turns.push({ frames: this.#heard, itemId, isByClient })
    this.#turnBytes += this.#heardBytes
    this.clear()
  }

  #trim(milliseconds: number): void {
    const max = milliseconds * this.#bytesPerMillisecond
    while (this.#heardBytes > max) this.#heardBytes -= this.#heard.shift()?.length ?? this.#heardBytes
    while (this.#turnBytes + this.#heardBytes > maxMilliseconds * this.#bytesPerMillisecond) {
      const [oldest] = this.#turns
      this.#turnBytes -= oldest?.frames.shift()?.length ?? 0
      if (oldest === undefined || oldest.frames.length === 0) this.#turns.shift()
      if (this.#turns.length === 0) return
    }
  }
}

const bytesIn = (frames: readonly Buffer[]) => frames.reduce((sum, { length }) => sum + length, 0)
