import { type AudioClip, millisecondsOf } from '../audio/pcm.js'
import type { ProtocolError } from '../protocol/protocol-error.js'
import type { Emit } from '../protocol/server-event.js'
import type { Outcome } from '../runtime/outcome.js'
import { type Conversation, withPart } from './conversation.js'
import type { Item } from './item.js'
import { speechFailure } from './speech-failure.js'

/** The transcripts of users' speech. Responses wait for them. Events report them only if the client asked for it. */
export class Transcripts {
  readonly #conversation: Conversation
  readonly #emit: Emit
  readonly #pending = new Set<Promise<void>>()
  readonly #failures = new Map<string, ProtocolError>()

  constructor(conversation: Conversation, emit: Emit) {
    this.#conversation = conversation
    this.#emit = emit
  }

  /** `isWanted` is called when the transcript is ready, because the client may have changed its setting. */
  expect(itemId: string, clip: AudioClip, words: Promise<Outcome<string>>, isWanted: () => boolean): void {
    const work: Promise<void> = words
      .then((result) => this.#settle(itemId, clip, result, isWanted()))
      .finally(() => this.#pending.delete(work))
    this.#pending.add(work)
  }

  /** Resolves when everything said so far is transcribed. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending)
  }

  failureOf(item: Item | undefined): ProtocolError | null {
    return item === undefined ? null : (this.#failures.get(item.id) ?? null)
  }

  #settle(itemId: string, clip: AudioClip, result: Outcome<string>, isWanted: boolean): void {
    const place = { item_id: itemId, content_index: 0 }
    if (!result.ok) {
      const error = speechFailure(result)
      this.#failures.set(itemId, error)
      if (isWanted)
        this.#emit({
          type: 'conversation.item.input_audio_transcription.failed',
          ...place,
          error: { type: error.type, code: error.code, message: error.message },
        })
      return
    }
    const transcript = result.value
    this.#keep(itemId, transcript)
    if (!isWanted) return
    if (transcript !== '')
      this.#emit({ type: 'conversation.item.input_audio_transcription.delta', ...place, delta: transcript })
    this.#emit({
      type: 'conversation.item.input_audio_transcription.completed',
      ...place,
      transcript,
      usage: { type: 'duration', seconds: millisecondsOf(clip) / 1000 },
    })
  }

  #keep(itemId: string, transcript: string): void {
    const item = this.#conversation.find(itemId)
    if (item?.kind !== 'message') return
    const index = item.parts.findIndex((part) => part.kind === 'audio' && part.transcript === null)
    const part = item.parts[index]
    if (part?.kind === 'audio') this.#conversation.replace(withPart(item, index, { ...part, transcript }))
  }
}
