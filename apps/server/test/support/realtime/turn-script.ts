/*
 * A turn as a provider reports it, event by event, and the expected stored message for any events in
 * between.
 * A second, simple implementation that the session is compared with.
 */
export interface TurnPlan {
  readonly role: 'user' | 'assistant'
  readonly pieces: number
  readonly ending:
    | 'done'
    | 'failed or cut off'
    | 'done, then cut off'
    | 'done, then truncated'
    | 'completed'
    | 'left open'
  readonly isLong: boolean
}

interface ScriptedEvent {
  readonly event: object
  /** The effect of the event on the turn. */
  readonly tells?: 'begin' | 'piece' | 'finish' | 'fail' | 'cut' | 'complete' | 'truncate'
}

export interface StoredTurn {
  readonly itemId: string
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly interrupted: boolean
  readonly failed: boolean
}

const longText = 'x'.repeat(150_000)

export class TurnScript {
  readonly itemId: string
  readonly role: 'user' | 'assistant'
  readonly #events: ScriptedEvent[]
  readonly #text: string
  #told = 0
  #place: number | null = null
  #heard = ''
  #content: string | null = null
  #failed = false
  #interrupted = false

  constructor({ role, pieces, ending, isLong }: TurnPlan, index: number) {
    this.itemId = `item_${index}`
    this.role = role
    this.#text = `turn ${index}${isLong ? longText : ''}`
    const told = Array.from(
      { length: pieces },
      (): ScriptedEvent => ({ event: this.#piece(), tells: 'piece' }),
    )
    this.#events = [...this.#beginning(), ...told, ...this.#endings(ending)]
  }

  /** The next event, or undefined if none is left. */
  next(): object | undefined {
    const next = this.#events[this.#told]?.event
    this.#told += 1
    return next
  }

  /** The session has read one of its events. `nextPosition` counts the turns in spoken order. */
  wasRead(event: object, nextPosition: () => number): void {
    const tells = this.#events.find((one) => one.event === event)?.tells
    if (tells === undefined) return
    if (tells === 'truncate') this.#interrupted = true
    if (tells === 'cut' && this.#content !== null) this.#interrupted = true
    if (this.#content !== null || tells === 'truncate') return
    if (tells !== 'cut' && tells !== 'complete') this.#place ??= nextPosition()
    if (tells === 'piece') this.#heard += `${this.itemId}, `
    if (tells === 'finish') this.#content = this.#text
    if (tells === 'fail') this.#close(true, false)
    if (tells === 'cut' || tells === 'complete') this.#closeAnswer(tells === 'cut')
  }

  /** The session has ended, so open parts are complete. */
  end(): void {
    if (this.#content !== null || this.#place === null) return
    if (this.role === 'user') this.#close(true, true)
    else this.#closeAnswer(true)
  }

  get isAnnounced(): boolean {
    return this.#content !== null && !this.#failed
  }

  get place(): number {
    return this.#place ?? 0
  }

  /** The expected stored message of the turn, or null if it has no words. */
  get stored(): StoredTurn | null {
    const { itemId, role } = this
    if (this.#content === null) return null
    return { itemId, role, content: this.#content, interrupted: this.#interrupted, failed: this.#failed }
  }

  #close(failed: boolean, interrupted: boolean): void {
    this.#content = this.#heard
    this.#failed = failed
    this.#interrupted ||= interrupted
  }

  #closeAnswer(interrupted: boolean): void {
    if (this.#heard === '') this.#place = null
    else this.#close(false, interrupted)
  }

  #beginning(): ScriptedEvent[] {
    const { itemId } = this
    if (this.role === 'user')
      return [{ event: { type: 'input_audio_buffer.committed', item_id: itemId }, tells: 'begin' }]
    const item = { id: itemId, type: 'message', role: 'assistant' }
    return [
      { event: { type: 'response.created', response: { id: this.#response } } },
      {
        event: { type: 'response.output_item.added', response_id: this.#response, item },
        tells: 'begin',
      },
    ]
  }

  #piece(): object {
    const type =
      this.role === 'user'
        ? 'conversation.item.input_audio_transcription.delta'
        : 'response.output_audio_transcript.delta'
    return { type, ...this.#names, delta: `${this.itemId}, ` }
  }

  #endings(ending: TurnPlan['ending']): ScriptedEvent[] {
    const all = this.role === 'user' ? this.#userEndings() : this.#answerEndings()
    return all[ending]
  }

  #userEndings(): Record<TurnPlan['ending'], ScriptedEvent[]> {
    const names = { ...this.#names, transcript: this.#text }
    const completed = 'conversation.item.input_audio_transcription.completed'
    const failed = { type: 'conversation.item.input_audio_transcription.failed', ...this.#names }
    const done: ScriptedEvent = { event: { type: completed, ...names }, tells: 'finish' }
    // Some providers send this twice. The second one changes nothing.
    const again: ScriptedEvent = { event: { type: completed, ...names, again: true }, tells: 'finish' }
    return {
      done: [done],
      completed: [done, again],
      'done, then cut off': [done, again],
      'done, then truncated': [done],
      'failed or cut off': [{ event: failed, tells: 'fail' }],
      'left open': [],
    }
  }

  #answerEndings(): Record<TurnPlan['ending'], ScriptedEvent[]> {
    const { itemId } = this
    const trigger = { type: 'response.output_audio_transcript.done', ...this.#names, transcript: this.#text }
    const output = [{ id: itemId, type: 'message', status: 'incomplete' }]
    const done: ScriptedEvent = { event: trigger, tells: 'finish' }
    const completed: ScriptedEvent = { event: this.#responseDone('completed', []), tells: 'complete' }
    const cut: ScriptedEvent = { event: this.#responseDone('cancelled', output), tells: 'cut' }
    const truncated = { type: 'conversation.item.truncated', item_id: itemId, content_index: 0 }
    return {
      done: [done, completed],
      completed: [completed],
      'done, then cut off': [done, cut],
      'done, then truncated': [done, completed, { event: truncated, tells: 'truncate' }],
      'failed or cut off': [cut],
      'left open': [],
    }
  }

  #responseDone(status: string, output: object[]): object {
    return { type: 'response.done', response: { id: this.#response, status, output } }
  }

  get #response(): string {
    return `response of ${this.itemId}`
  }

  get #names() {
    const names = { item_id: this.itemId, content_index: 0 }
    return this.role === 'user' ? names : { ...names, response_id: this.#response, output_index: 0 }
  }
}
