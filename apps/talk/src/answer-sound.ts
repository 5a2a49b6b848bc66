import { writeFile } from 'node:fs/promises'
import { messageOf, wireRate } from './wire-sound.js'

/** Collects the audio of the answers. */
export class AnswerSound {
  readonly #parts: Buffer[] = []

  add(base64: string): void {
    this.#parts.push(Buffer.from(base64, 'base64'))
  }

  /** Null on success, otherwise an error message. */
  async save(path: string): Promise<string | null> {
    if (this.#parts.length === 0) return 'No audio was received, so nothing was saved.'
    // The audio engine loads slowly and is not needed for typed turns.
    const { samplesFromBytes, toWav } = await import('@parley/engine')
    const samples = samplesFromBytes(Buffer.concat(this.#parts))
    try {
      await writeFile(path, toWav({ samples, rate: wireRate }))
      return null
    } catch (error) {
      return `Failed to save the audio: ${messageOf(error)}`
    }
  }
}
