import type { Codec } from '../leg.js'
import { encodeALaw } from './a-law.js'
import { encodeMuLaw } from './mu-law.js'

const encoders = { g711_ulaw: encodeMuLaw, g711_alaw: encodeALaw } as const

/** Encodes samples of 16 bits at 8000 Hz in the codec of a leg. */
export function encodeSound(samples: Int16Array, codec: Codec): Buffer {
  const encode = encoders[codec]
  const sound = Buffer.alloc(samples.length)
  for (const [at, sample] of samples.entries()) sound[at] = encode(sample)
  return sound
}
