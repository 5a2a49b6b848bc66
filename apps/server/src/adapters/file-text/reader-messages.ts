import type { ReadOutcome, ReadPassage } from '../../ports/file-text.js'

/** The work of the reading process: its first argument. */
export interface ReaderOrder {
  readonly contentType: string
  readonly sizeBytes: number
  readonly maxCharacters: number
  readonly maxMemoryBytes: number
  readonly maxHeapMegabytes: number
}

/** The permission flag of the process for its one thread. The reading thread does not have it. */
export const mayStartThreads = '--allow-worker'

/** The messages that it sends, one for each line. The outcome comes last. */
export type ReaderMessage =
  | { readonly type: 'passage'; readonly passage: ReadPassage }
  | { readonly type: 'outcome'; readonly outcome: ReadOutcome }

export type GivePassages = (passages: readonly ReadPassage[]) => Promise<void>

/** Ends the reading. The message says what is wrong with the file, as the end of a sentence. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Ends the reading. The message says what the file really is. */
export class Mislabelled extends Error {
  override readonly name = 'Mislabelled'
}
