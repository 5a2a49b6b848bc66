/** The start of audio frames from nearly all clients. The rest is the Base64 text and `"}`. */
const compactStart = Buffer.from('{"type":"input_audio_buffer.append","audio":"')
const quote = 0x22
const braceClose = 0x7d

/** Returns the Base64 text of an audio frame without parsing it, or null if the frame must be parsed. */
export function appendedAudio(frame: Buffer | string): string | null {
  if (typeof frame === 'string' || !frame.subarray(0, compactStart.length).equals(compactStart)) return null
  const end = frame.length - 2
  const isWhole = frame[end] === quote && frame[end + 1] === braceClose
  if (!isWhole || frame.indexOf(quote, compactStart.length) !== end) return null
  return frame.toString('latin1', compactStart.length, end)
}
