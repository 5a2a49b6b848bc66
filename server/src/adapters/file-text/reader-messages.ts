import type { ReadOutcome, ReadPassage } from '../../ports/file-text.js'

/** What the reading process is told when it starts, as its first argument. */
export interface ReaderOrder {
  readonly contentType: string
  readonly sizeBytes: number
  readonly maxCharacters: number
  readonly maxMemoryBytes: number
}

/** What it tells, a line each. The outcome is the last one. */
export type ReaderMessage = ReadPassage | ReadOutcome

export type GivePassages = (passages: readonly ReadPassage[]) => Promise<void>

/** Ends the reading: what is wrong about the file, as the end of a sentence. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Ends the reading: what the file is instead of what it should be. */
export class Mislabelled extends Error {
  override readonly name = 'Mislabelled'
}
