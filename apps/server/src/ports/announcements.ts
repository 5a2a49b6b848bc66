import type { Codec } from '@parley/telephone'

/** A sentence of the service itself, with its language as a BCP 47 tag. */
export interface Announcement {
  readonly text: string
  readonly language: string
}

/** Sounds for the other party of a call that has no model. */
export interface Announcements {
  /**
   * Returns the spoken sentence in a codec, or a tone if there is no voice for the language or it takes longer than 3
   * seconds. The sound is at most 10 seconds long.
   */
  soundOf(announcement: Announcement, codec: Codec): Promise<Buffer>
}
