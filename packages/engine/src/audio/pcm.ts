/** Audio inside the engine: mono, 16 bit. */
export interface AudioClip {
  readonly samples: Int16Array
  /** Samples per second. */
  readonly rate: number
}

/** The rate of the voice activity detector and of speech recognition. */
export const recognitionRate = 16_000

export function toFloat(samples: Int16Array): Float32Array {
  const floats = new Float32Array(samples.length)
  for (let index = 0; index < samples.length; index += 1) floats[index] = (samples[index] ?? 0) / 32_768
  return floats
}

export function toInt16(floats: Float32Array): Int16Array {
  const samples = new Int16Array(floats.length)
  for (let index = 0; index < floats.length; index += 1) {
    const value = Math.round((floats[index] ?? 0) * 32_768)
    samples[index] = Math.max(-32_768, Math.min(32_767, value))
  }
  return samples
}

/** Always little endian, on every machine. Drops half a sample at the end. */
export function samplesFromBytes(bytes: Uint8Array): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const samples = new Int16Array(bytes.byteLength >> 1)
  for (let index = 0; index < samples.length; index += 1) samples[index] = view.getInt16(index * 2, true)
  return samples
}

export function bytesFromSamples(samples: Int16Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * 2)
  for (let index = 0; index < samples.length; index += 1) bytes.writeInt16LE(samples[index] ?? 0, index * 2)
  return bytes
}

export function joinSamples(parts: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(parts.reduce((length, part) => length + part.length, 0))
  let position = 0
  for (const part of parts) {
    joined.set(part, position)
    position += part.length
  }
  return joined
}

export function millisecondsOf(clip: AudioClip): number {
  return Math.round((clip.samples.length * 1000) / clip.rate)
}
