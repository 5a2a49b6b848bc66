import type { Codec } from '../leg.js'

/** The length of a frame. All telephones use 20 ms. */
export const frameMilliseconds = 20
export const frameBytes = 160

const silences: Readonly<Record<Codec, number>> = { g711_ulaw: 0xff, g711_alaw: 0xd5 }

export function makeSilence(codec: Codec): Buffer {
  return Buffer.alloc(frameBytes, silences[codec])
}
