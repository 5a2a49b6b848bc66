/** The sample rate between microphone, wire and speaker, unless a format specifies another. */
export const wireRate = 24_000

/** The number of characters that `fromCharCode` accepts at once without a stack overflow. */
const sliceBytes = 8192

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += sliceBytes)
    text += String.fromCharCode(...bytes.subarray(start, start + sliceBytes))
  return btoa(text)
}

export function fromBase64(text: string): Uint8Array {
  const bytes = atob(text)
  const result = new Uint8Array(bytes.length)
  for (let place = 0; place < bytes.length; place += 1) result[place] = bytes.charCodeAt(place)
  return result
}

/** Always 16-bit little-endian, regardless of the machine's byte order. */
export function samplesFromBytes(bytes: Uint8Array): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Int16Array.from({ length: bytes.byteLength >> 1 }, (_, place) => view.getInt16(place * 2, true))
}

export function bytesFromSamples(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2)
  const view = new DataView(bytes.buffer)
  samples.forEach((sample, place) => {
    view.setInt16(place * 2, sample, true)
  })
  return bytes
}

export function toFloat(samples: Int16Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(samples, (sample) => sample / 32_768)
}

export function toInt16(samples: ArrayLike<number>): Int16Array<ArrayBuffer> {
  return Int16Array.from(samples, (sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))),
  )
}
