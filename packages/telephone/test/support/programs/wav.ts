import { readFile } from 'node:fs/promises'
import { encodeMuLaw } from '#telephone/g711.js'

const rate = 8000

/** Audio that is different at each moment, so that a shift is found: tones that change every 80 ms. */
export function makeSpeech(seconds: number): Int16Array {
  const samples = new Int16Array(seconds * rate)
  let phase = 0
  for (let index = 0; index < samples.length; index += 1) {
    const syllable = Math.floor(index / 640)
    phase += (2 * Math.PI * (200 + ((syllable * 7919) % 1300))) / rate
    const loudness = 0.3 + 0.7 * Math.abs(Math.sin((Math.PI * index) / 640))
    samples[index] = Math.round(9000 * loudness * Math.sin(phase))
  }
  return samples
}

export function makeWav(samples: Int16Array): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF')
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)])
}

export async function readWav(path: string): Promise<Int16Array> {
  const bytes = await readFile(path)
  const start = bytes.indexOf('data') + 8
  const count = Math.floor((bytes.length - start) / 2)
  return Int16Array.from({ length: count }, (_, index) => bytes.readInt16LE(start + index * 2))
}

/** Encodes samples as mu-law. */
export function encodeSpeech(samples: Int16Array): Buffer<ArrayBuffer> {
  return Buffer.from(Uint8Array.from(samples, encodeMuLaw))
}

/** Decodes mu-law: ITU-T G.711. */
export function decodeMuLaw(audio: Uint8Array): Int16Array {
  return Int16Array.from(audio, (byte) => {
    const inverted = ~byte & 0xff
    const magnitude = (((inverted & 0x0f) << 3) + 0x84) << ((inverted >> 4) & 7)
    return inverted & 0x80 ? 0x84 - magnitude : magnitude - 0x84
  })
}

/** Decodes A-law: ITU-T G.711. */
export function decodeALaw(audio: Uint8Array): Int16Array {
  return Int16Array.from(audio, (byte) => {
    const value = byte ^ 0x55
    const exponent = (value >> 4) & 7
    const mantissa = ((value & 0x0f) << 4) + 8
    const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
    return value & 0x80 ? magnitude : -magnitude
  })
}

export interface Likeness {
  /** By how many samples the heard audio is later. */
  readonly lag: number
  /** 1 if both are equal but for their loudness, 0 if they have nothing in common. */
  readonly correlation: number
}

/** Finds a piece of the said audio in the heard audio. */
export function findAudio(said: Int16Array, heard: Int16Array, start = 0, length = 4000): Likeness {
  const piece = said.subarray(start, start + length)
  let best: Likeness = { lag: 0, correlation: 0 }
  const consider = (at: number, step: number) => {
    const correlation = correlate(piece, heard.subarray(at, at + piece.length), step)
    if (correlation > best.correlation) best = { lag: at - start, correlation }
  }
  // Coarse first: neighbours of the right place are similar.
  for (let at = 0; at + piece.length <= heard.length; at += 1) consider(at, 16)
  const coarse = best.lag + start
  best = { lag: 0, correlation: 0 }
  for (let at = Math.max(0, coarse - 4); at <= coarse + 4; at += 1) consider(at, 1)
  return best
}

function correlate(one: Int16Array, other: Int16Array, step: number): number {
  let product = 0
  let energy = 1
  let otherEnergy = 1
  for (let index = 0; index < Math.min(one.length, other.length); index += step) {
    const [a = 0, b = 0] = [one[index], other[index]]
    product += a * b
    energy += a * a
    otherEnergy += b * b
  }
  return product / Math.sqrt(energy * otherEnergy)
}
