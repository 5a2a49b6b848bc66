/*
 * The fast path for client audio. A frame is taken for an append, and forwarded unparsed, only if every byte of it
 * matches this grammar; whatever else it may be is parsed in full.
 *
 *   { "type": "input_audio_buffer.append", "audio": "…", "event_id": "…" }
 *
 * in any order, each key at most once, spaces between tokens, strings without backslash, quote or control character
 * inside.
 */
const braceOpen = 0x7b
const braceClose = 0x7d
const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
const space = 0x20

const appendType = 'input_audio_buffer.append'
const shortestAppend = `{"type":"${appendType}","audio":""}`.length
/** How nearly every client writes it: then there is but one string left to check. */
const compactStart = Buffer.from(`{"type":"${appendType}","audio":"`)
/** Named, since Node 20 looks a buffer's methods up at every call, however often it was (24 does not). */
const { indexOf } = Buffer.prototype
const known = new Set(['type', 'audio', 'event_id'])

/** With `isPlain` it is known that no byte of it is a control character or a backslash. */
export function isAudioAppend(frame: Buffer, isPlain = false): boolean {
  if (frame[0] !== braceOpen || frame.length < shortestAppend) return false
  // A backslash could spell any key or value in another way; base64 has none.
  if (!isPlain && (frame.includes(backslash) || hasControlCharacter(frame))) return false
  return isCompact(frame) || matchesGrammar(frame)
}

function isCompact(frame: Buffer): boolean {
  const last = frame.length - 1
  return (
    startsWith(frame, compactStart) &&
    frame[last] === braceClose &&
    indexOf.call(frame, quote, compactStart.length) === last - 1
  )
}

function matchesGrammar(frame: Buffer): boolean {
  let at = skipSpace(frame, 1)
  let seen = ''
  for (;;) {
    const keyEnd = stringEnd(frame, at)
    if (keyEnd < 0) return false
    const key = frame.toString('latin1', at + 1, keyEnd)
    if (!known.has(key) || seen.includes(key)) return false
    seen += `${key} `
    at = skipSpace(frame, keyEnd + 1)
    if (frame[at] !== colon) return false
    at = skipSpace(frame, at + 1)
    const valueEnd = stringEnd(frame, at)
    if (valueEnd < 0) return false
    if (key === 'type' && frame.toString('latin1', at + 1, valueEnd) !== appendType) return false
    at = skipSpace(frame, valueEnd + 1)
    if (frame[at] === comma) at = skipSpace(frame, at + 1)
    else return frame[at] === braceClose && skipSpace(frame, at + 1) === frame.length && isWhole(seen)
  }
}

const isWhole = (seen: string) => seen.includes('type') && seen.includes('audio')

/** Where the string that begins at `at` ends, or -1 where none begins or none ends. */
function stringEnd(frame: Buffer, at: number): number {
  return frame[at] === quote ? frame.indexOf(quote, at + 1) : -1
}

function skipSpace(frame: Buffer, from: number): number {
  let at = from
  while (frame[at] === space) at += 1
  return at
}

/** Whether any byte is below the space. Who reads frames mostly knows already, from taking their masks off. */
function hasControlCharacter(frame: Buffer): boolean {
  for (let at = 0; at < frame.length; at += 1) if ((frame[at] as number) < space) return true
  return false
}

/*
 * What the first bytes of a frame say, without parsing it. Everybody sends the type first and without spaces; whoever
 * does not has the frame parsed.
 */
const typeStart = Buffer.from('{"type":"')

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
function startsWith(frame: Buffer, start: Buffer): boolean {
  for (let at = 0; at < start.length; at += 1) if (frame[at] !== start[at]) return false
  return true
}
