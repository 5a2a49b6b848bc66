import type { AudioClip } from '../audio/pcm.js'
import type { ProtocolError } from '../protocol/protocol-error.js'
import type { Emit } from '../protocol/server-event.js'
import type { SessionConfig } from '../protocol/session-config.js'
import type { Outcome } from '../runtime/outcome.js'
import type { Conversation } from './conversation.js'
import { type AudioPart, type Item, wholeClip, wireItem } from './item.js'
import type { Transcripts } from './transcripts.js'

export interface ItemOperationsParts {
  readonly conversation: Conversation
  readonly transcripts: Transcripts
  readonly config: () => SessionConfig
  readonly transcribe: (clip: AudioClip) => Promise<Outcome<string>>
  readonly emit: Emit
}

/** Handles the client's item events and reports the results. */
export class ItemOperations {
  readonly #parts: ItemOperationsParts

  constructor(parts: ItemOperationsParts) {
    this.#parts = parts
  }

  create(item: Item, previousItemId: string | null): ProtocolError | null {
    const error = this.#add(item, previousItemId)
    const part =
      error === null && item.kind === 'message' && item.role === 'user' ? findUntranscribed(item.parts) : null
    if (part === null) return error
    const clip = wholeClip(part)
    this.#expectWords(item.id, clip, this.#parts.transcribe(clip))
    return null
  }

  /** Adds a user's speech, with the early transcript if there is one. */
  addSpeech(itemId: string, clip: AudioClip, guess: Promise<Outcome<string>> | null): void {
    this.#commit(itemId, { kind: 'audio', transcript: null, clips: [clip] })
    const { transcribe } = this.#parts
    // If the early transcript failed, transcribe again: the queue may have room now.
    const words =
      guess === null ? transcribe(clip) : guess.then((result) => (result.ok ? result : transcribe(clip)))
    this.#expectWords(itemId, clip, words)
  }

  /** Adds an utterance without speech. */
  addSilence(itemId: string): void {
    this.#commit(itemId, { kind: 'audio', transcript: '', clips: [] })
  }

  retrieve(id: string): ProtocolError | null {
    const found = this.#parts.conversation.retrieve(id)
    if (!('kind' in found)) return found
    const { input, output } = this.#parts.config().audio
    const isAnswer = found.kind === 'message' && found.role === 'assistant'
    const item = wireItem(found, isAnswer ? output.format : input.format)
    this.#parts.emit({ type: 'conversation.item.retrieved', item })
    return null
  }

  truncate(id: string, contentIndex: number, endMilliseconds: number): ProtocolError | null {
    const error = this.#parts.conversation.truncate(id, contentIndex, endMilliseconds)
    if (error !== null) return error
    this.#parts.emit({
      type: 'conversation.item.truncated',
      item_id: id,
      content_index: contentIndex,
      audio_end_ms: endMilliseconds,
    })
    return null
  }

  remove(id: string): ProtocolError | null {
    const error = this.#parts.conversation.remove(id)
    if (error === null) this.#parts.emit({ type: 'conversation.item.deleted', item_id: id })
    return error
  }

  #commit(itemId: string, part: AudioPart): void {
    const { conversation, emit } = this.#parts
    emit({ type: 'input_audio_buffer.committed', item_id: itemId, previous_item_id: conversation.lastItemId })
    this.#add({ kind: 'message', id: itemId, role: 'user', status: 'completed', parts: [part] }, null)
  }

  #add(item: Item, previousItemId: string | null): ProtocolError | null {
    const { conversation, emit } = this.#parts
    const inserted = conversation.insert(item, previousItemId)
    if (!inserted.ok) return inserted.error
    const place = { previous_item_id: inserted.previousItemId, item: wireItem(item) }
    emit({ type: 'conversation.item.added', ...place })
    emit({ type: 'conversation.item.done', ...place })
    return null
  }

  #expectWords(itemId: string, clip: AudioClip, words: Promise<Outcome<string>>): void {
    const { transcripts, config } = this.#parts
    transcripts.expect(itemId, clip, words, () => config().audio.input.transcription !== undefined)
  }
}

function findUntranscribed(parts: Extract<Item, { kind: 'message' }>['parts']): AudioPart | null {
  const part = parts.find((candidate) => candidate.kind === 'audio' && candidate.transcript === null)
  return part?.kind === 'audio' ? part : null
}
