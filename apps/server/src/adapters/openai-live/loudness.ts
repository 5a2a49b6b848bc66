import { decodeG711 } from '@parley/telephone'

/** The loudness of PCM is measured with every third sample, in bytes. */
const measuredStep = 6

/** Audio in the format of a session. */
export interface HeardAudio {
  readonly milliseconds: number
  /** The root mean square of its samples, from 0 to 1. */
  readonly loudness: number
}

/** Returns how long and how loud audio in Base64 is. */
export function hear(base64: string, type: string): HeardAudio {
  const bytes = Buffer.from(base64, 'base64')
  if (type === 'audio/pcm') {
    let power = 0
    let count = 0
    for (let at = 0; at + 1 < bytes.length; at += measuredStep) {
      const sample = (((bytes[at + 1] ?? 0) << 24) >> 16) | (bytes[at] ?? 0)
      power += sample * sample
      count += 1
    }
    return heard(power, count, bytes.length / 48)
  }
  const samples = decodeG711(bytes, type === 'audio/pcma' ? 'g711_alaw' : 'g711_ulaw')
  let power = 0
  for (const sample of samples) power += sample ** 2
  return heard(power, samples.length, samples.length / 8)
}

function heard(power: number, count: number, milliseconds: number): HeardAudio {
  return { milliseconds, loudness: count === 0 ? 0 : Math.sqrt(power / count) / 32_768 }
}

/** Returns silence in Base64. */
export function silenceOf(type: string, milliseconds: number): string {
  if (type === 'audio/pcm') return Buffer.alloc(48 * milliseconds).toString('base64')
  return Buffer.alloc(8 * milliseconds, type === 'audio/pcma' ? 0xd5 : 0xff).toString('base64')
}
