import { writeFile } from 'node:fs/promises'
import { messageOf, wireRate } from './wire-sound.js'

/** What the agent says, put together. */
export class AnswerSound {
  readonly #parts: Buffer[] = []

  add(base64: string): void {
    this.#parts.push(Buffer.from(base64, 'base64'))
  }

  /** Null where it could be written, else what went wrong. */
  async save(path: string): Promise<string | null> {
    if (this.#parts.length === 0) return 'There was no sound to save.'
    // The engine takes most of a second to load, and who only types does not need it.
    const { samplesFromBytes, toWav } = await import('@parley/engine')
    const samples = samplesFromBytes(Buffer.concat(this.#parts))
    try {
      await writeFile(path, toWav({ samples, rate: wireRate }))
      return null
    } catch (error) {
      return `The sound was not saved: ${messageOf(error)}`
    }
  }
}
