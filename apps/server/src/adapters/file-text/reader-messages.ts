import type { ReadOutcome, ReadPassage } from '../../ports/file-text.js'

/** What the reading process has to do: its first argument. */
export interface ReaderOrder {
  readonly contentType: string
  readonly sizeBytes: number
  readonly maxCharacters: number
  readonly maxMemoryBytes: number
  readonly maxHeapMegabytes: number
}

/** The flag that the process has, for its one thread, and the thread that reads has not. */
export const mayStartThreads = '--allow-worker'

/** What it sends, a line each. The outcome comes last. */
export type ReaderMessage =
  | { readonly type: 'passage'; readonly passage: ReadPassage }
  | { readonly type: 'outcome'; readonly outcome: ReadOutcome }

export type GivePassages = (passages: readonly ReadPassage[]) => Promise<void>

/** Ends the reading: what is wrong about the file, as the end of a sentence. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Ends the reading: what the file is instead of what it should be. */
export class Mislabelled extends Error {
  override readonly name = 'Mislabelled'
}
