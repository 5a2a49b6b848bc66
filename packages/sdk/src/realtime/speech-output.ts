import type { SpeechDecoder } from '../audio/wire-codec.js'
import type { AudioDelta } from './session-event.js'
import type { PlayedPart, SpeechChunk, VoiceAudio } from './voice-audio.js'

export interface SpeechOutputOptions {
  readonly audio: VoiceAudio
  readonly decode: SpeechDecoder
  readonly send: (message: object) => void
  readonly onChunk: (chunk: SpeechChunk) => void
  readonly onInterrupted: (part: PlayedPart) => void
}

/**
 * The answers of one session on their way to the speaker. Audio arrives much faster than it is played. When the user
 * interrupts, the response is usually done and most of it is still queued, so only the queue matters.
 */
export class SpeechOutput {
  readonly #options: SpeechOutputOptions
  /** More audio of an interrupted item may still arrive. */
  readonly #refused = new Set<string>()
  /** Audio of an earlier session may still be playing. The model of this session does not know it. */
  readonly #items = new Set<string>()
  #activeResponseId: string | null = null

  constructor(options: SpeechOutputOptions) {
    this.#options = options
  }

  beginResponse(responseId: string | null): void {
    this.#activeResponseId = responseId
  }

  endResponse(): void {
    this.#activeResponseId = null
  }

  take({ itemId, responseId, contentIndex, base64 }: AudioDelta): void {
    if (this.#refused.has(itemId) || (responseId !== null && this.#refused.has(responseId))) return
    this.#items.add(itemId)
    const chunk = { itemId, contentIndex, samples: this.#options.decode(base64) }
    this.#options.onChunk(chunk)
    this.#options.audio.play(chunk)
  }

  /** Called when another model answers, which does not know the items so far. Their audio is still played. */
  forgetItems(): void {
    this.#items.clear()
  }

  finish(itemId: string): void {
    this.#options.audio.finish(itemId)
  }

  /** Stops playback immediately, then reports to the model how much was heard. */
  async interrupt(): Promise<void> {
    if (this.#activeResponseId !== null) this.#refused.add(this.#activeResponseId)
    const parts = await this.#options.audio.cut()
    for (const part of parts) {
      const { itemId, contentIndex, playedMilliseconds } = part
      this.#refused.add(itemId)
      this.#options.onInterrupted(part)
      if (!this.#items.has(itemId)) continue
      this.#options.send({
        type: 'conversation.item.truncate',
        item_id: itemId,
        content_index: contentIndex,
        audio_end_ms: Math.floor(playedMilliseconds),
      })
    }
  }
}
