import { type AudioClip, bytesFromSamples, samplesFromBytes } from './pcm.js'

/** Encodes a clip as a WAV file: mono, 16 bit. */
export function toWav(clip: AudioClip): Buffer {
  const data = bytesFromSamples(clip.samples)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(clip.rate, 24)
  header.writeUInt32LE(clip.rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(data.length, 40)
  return Buffer.concat([header, data])
}

/** Reads a WAV file with 16-bit samples. Takes the first channel. Returns null if the file is not one. */
export function fromWav(file: Buffer): AudioClip | null {
  if (file.length < 12 || file.toString('latin1', 0, 4) !== 'RIFF') return null
  let rate = 0
  let channels = 0
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4)
    const size = Math.min(file.readUInt32LE(at + 4), file.length - at - 8)
    const body = file.subarray(at + 8, at + 8 + size)
    if (name === 'fmt ' && size >= 16) {
      if (body.readUInt16LE(14) !== 16) return null
      channels = body.readUInt16LE(2)
      rate = body.readUInt32LE(4)
    }
    if (name === 'data' && channels > 0)
      return { samples: firstChannel(samplesFromBytes(body), channels), rate }
    at += 8 + size + (size % 2)
  }
  return null
}

function firstChannel(samples: Int16Array, channels: number): Int16Array {
  if (channels === 1) return samples
  return Int16Array.from(
    { length: Math.floor(samples.length / channels) },
    (_, index) => samples[index * channels] ?? 0,
  )
}
