import type { ConversationItems } from './conversation-items.js'
import { type Emit, makeId } from './server-event.js'

/** More words than this are not part of one turn. */
const maxCharacters = 100_000

interface Turn {
  readonly itemId: string
  /** The words so far. */
  words: string
}

/*
 * Writes the turns of a user whose provider detects speech. Words may come before the end of the speech or long after it.
 *
 *   none ──start──► speaking ──commit──► committed ──finish or the next start──► none
 *
 * Each turn ends with exactly one `completed`.
 */
export class UserTurnWriter {
  readonly #emit: Emit
  readonly #items: ConversationItems
  #speaking: Turn | null = null
  #committed: Turn | null = null

  constructor(emit: Emit, items: ConversationItems) {
    this.#emit = emit
    this.#items = items
  }

  get isSpeaking(): boolean {
    return this.#speaking !== null
  }

  /** Whether the last turn has no final transcript yet. */
  get isOpen(): boolean {
    return this.#speaking !== null || this.#committed !== null
  }

  /** Whether words of the last turn that was committed are known. */
  get hasWords(): boolean {
    return this.#committed !== null && this.#committed.words !== ''
  }

  /** The user begins to speak, after this many milliseconds of the session. */
  start(atMilliseconds: number): void {
    if (this.#speaking !== null) return
    this.finish()
    this.#speaking = { itemId: makeId('item'), words: '' }
    this.#emit({
      type: 'input_audio_buffer.speech_started',
      item_id: this.#speaking.itemId,
      audio_start_ms: Math.round(atMilliseconds),
    })
  }

  /** Adds words to the current or the last turn. They are dropped if there is none. */
  addWords(given: string): void {
    const turn = this.#speaking ?? this.#committed
    if (turn === null || turn.words.length > maxCharacters) return
    const words = turn.words === '' ? given.trimStart() : given
    if (words === '') return
    turn.words += words
    if (turn === this.#committed) this.#emitDelta(turn.itemId, words)
  }

  /** The user has stopped speaking. */
  commit(atMilliseconds: number): void {
    const turn = this.#speaking
    if (turn === null) return
    this.#speaking = null
    this.#committed = turn
    const { itemId, words } = turn
    const audio_end_ms = Math.round(atMilliseconds)
    this.#emit({ type: 'input_audio_buffer.speech_stopped', item_id: itemId, audio_end_ms })
    const previous_item_id = this.#items.lastId
    this.#emit({ type: 'input_audio_buffer.committed', item_id: itemId, previous_item_id })
    const item = spokenItem(itemId, null)
    this.#items.add(item)
    this.#items.finish(item)
    if (words !== '') this.#emitDelta(itemId, words)
  }

  /** Ends the transcript of the last turn that was committed. Nothing more is said about it. */
  finish(usage: object | null = null): void {
    const turn = this.#committed
    if (turn === null) return
    this.#committed = null
    const transcript = turn.words.trimEnd()
    this.#items.replace(spokenItem(turn.itemId, transcript))
    this.#emit({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: turn.itemId,
      content_index: 0,
      transcript,
      ...(usage !== null && { usage }),
    })
  }

  #emitDelta(itemId: string, delta: string): void {
    const type = 'conversation.item.input_audio_transcription.delta'
    this.#emit({ type, item_id: itemId, content_index: 0, delta })
  }
}

function spokenItem(id: string, transcript: string | null) {
  const content = [{ type: 'input_audio', transcript }]
  return { id, object: 'realtime.item', type: 'message', role: 'user', status: 'completed', content }
}
