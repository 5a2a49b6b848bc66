/*
 * What the first bytes of a frame say, without parsing it. Everybody sends the type first and without spaces; whoever
 * does not has the frame parsed.
 */
const typeStart = Buffer.from('{"type":"')
const quote = 0x22

/** Audio of an answer, by its name of today and its name of before. */
const audioDelta = Buffer.from('{"type":"response.output_audio.delta"')
const earlierAudioDelta = Buffer.from('{"type":"response.audio.delta"')

/** Whether a provider's frame is plainly audio. Most are, and need not even a string made of their type. */
export function isAudioDelta(frame: Buffer): boolean {
  return startsWith(frame, audioDelta) || startsWith(frame, earlierAudioDelta)
}

/** The type that stands first in a frame; null where only parsing can find it. */
export function typeAtStart(frame: Buffer): string | null {
  if (!startsWith(frame, typeStart)) return null
  const end = frame.indexOf(quote, typeStart.length)
  const type = end < 0 ? '' : frame.toString('latin1', typeStart.length, end)
  return type === '' || type.includes('\\') ? null : type
}

/** Whether a frame begins with these bytes. They are few, so a loop is faster than any call that leaves JavaScript. */
export function startsWith(frame: Buffer, start: Buffer): boolean {
  for (let at = 0; at < start.length; at += 1) if (frame[at] !== start[at]) return false
  return true
}
