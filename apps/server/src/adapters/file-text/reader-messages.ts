import type { ReadOutcome, ReadPassage } from '../../ports/file-text.js'

/** The job of the reading process, which is its first argument. */
export interface ReaderOrder {
  readonly contentType: string
  readonly sizeBytes: number
  readonly maxCharacters: number
  readonly maxMemoryBytes: number
  readonly maxHeapMegabytes: number
}

/** The permission flag that lets the process start its one thread. The reading thread does not have it. */
export const mayStartThreads = '--allow-worker'

/** The messages that the process sends, one per line. The outcome comes last. */
export type ReaderMessage =
  | { readonly type: 'passage'; readonly passage: ReadPassage }
  | { readonly type: 'outcome'; readonly outcome: ReadOutcome }

export type GivePassages = (passages: readonly ReadPassage[]) => Promise<void>

/** Ends the reading. The message describes the problem with the file, as the end of a sentence. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Ends the reading. The message names the actual type of the file. */
export class Mislabelled extends Error {
  override readonly name = 'Mislabelled'
}
