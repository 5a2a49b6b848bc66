import type { SessionEvent } from './session-event.js'

/** Longer than an answer takes once models are loaded. */
const patienceMilliseconds = 1500

/** Explains once why the first answer may take long. The session sends nothing while models load. */
export class FirstAnswerNotice {
  readonly #show: () => void
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined
  #isNeeded = true

  constructor(show: () => void, milliseconds = patienceMilliseconds) {
    this.#show = show
    this.#milliseconds = milliseconds
  }

  /** Called when a question was sent. */
  begin(): void {
    if (!this.#isNeeded) return
    this.#isNeeded = false
    this.#timer = setTimeout(this.#show, this.#milliseconds)
  }

  handle({ type }: SessionEvent): void {
    if (answering.has(type)) this.end()
  }

  /** Called when an answer has begun or none will come. */
  end(): void {
    clearTimeout(this.#timer)
  }
}

const answering: ReadonlySet<SessionEvent['type']> = new Set([
  'response.output_audio_transcript.delta',
  'response.output_text.delta',
  'response.output_audio.delta',
  'response.function_invocation.start',
  'response.done',
  'error',
] satisfies SessionEvent['type'][])
