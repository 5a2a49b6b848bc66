/*
 * The fast path for client audio. A frame counts as an append, and is forwarded unparsed, only if it matches this grammar
 * byte by byte. All other frames are parsed in full.
 *
 *   { "type": "input_audio_buffer.append", "audio": "<base64>", "event_id": "…" }
 *
 * The keys may be in any order, each at most once, with spaces between tokens. The event id contains no backslashes,
 * quotes and control characters.
 */
const braceOpen = 0x7b
const braceClose = 0x7d
const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
const space = 0x20
const equalsSign = 0x3d

const appendType = 'input_audio_buffer.append'
const shortestAppend = `{"type":"${appendType}","audio":""}`.length
/** The start of audio frames from nearly all clients. Only the audio after it must be checked. */
const compactStart = Buffer.from(`{"type":"${appendType}","audio":"`)
const known = new Set(['type', 'audio', 'event_id'])

/** A buffer for audio that is only decoded to check it. Frames with longer audio are parsed in full. */
const decoded = Buffer.allocUnsafeSlow(64 * 1024)

export function isAudioAppend(frame: Buffer): boolean {
  if (frame[0] !== braceOpen || frame.length < shortestAppend) return false
  return isCompact(frame) || matchesGrammar(frame)
}

function isCompact(frame: Buffer): boolean {
  const last = frame.length - 1
  return (
    frame[last] === braceClose &&
    frame[last - 1] === quote &&
    hasAt(frame, 0, compactStart) &&
    isBase64(frame, compactStart.length, last - 1)
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
    if (valueEnd < 0 || !isValue(key, frame, at + 1, valueEnd)) return false
    at = skipSpace(frame, valueEnd + 1)
    if (frame[at] === comma) at = skipSpace(frame, at + 1)
    else return frame[at] === braceClose && skipSpace(frame, at + 1) === frame.length && isWhole(seen)
  }
}

const isWhole = (seen: string) => seen.includes('type') && seen.includes('audio')

function isValue(key: string, frame: Buffer, from: number, to: number): boolean {
  if (key === 'audio') return isBase64(frame, from, to)
  if (key === 'type') return frame.toString('latin1', from, to) === appendType
  for (let at = from; at < to; at += 1)
    if ((frame[at] as number) < space || frame[at] === backslash) return false
  return true
}

/**
 * Returns whether the whole range is padded base64. Node's decoder skips invalid characters, so a shorter
 * result shows that there were some. The decoder is native code. A loop over the bytes would take seven times
 * as long.
 */
function isBase64(frame: Buffer, from: number, to: number): boolean {
  const length = to - from
  if (length % 4 !== 0) return false
  const padding = frame[to - 1] !== equalsSign ? 0 : frame[to - 2] === equalsSign ? 2 : 1
  return decoded.write(frame.toString('latin1', from, to), 'base64') === (length / 4) * 3 - padding
}

/**
 * Returns the index of the closing quote of the string that starts at `at`, or -1 if the string is incomplete
 * or missing.
 */
function stringEnd(frame: Buffer, at: number): number {
  return frame[at] === quote ? frame.indexOf(quote, at + 1) : -1
}

function skipSpace(frame: Buffer, from: number): number {
  let at = from
  while (frame[at] === space) at += 1
  return at
}

/*
 * The start of a frame, which is compared without parsing. Providers and clients send the type first, or after the event's
 * id, and without spaces. A frame that starts differently is parsed in full.
 */
const typeStart = Buffer.from('{"type":"')
const idStart = Buffer.from('{"event_id":"')
const typeAfterId = Buffer.from('","type":"')
const maxIdBytes = 100

/** The event with the audio of an answer, under its current and its earlier name. */
const audioDelta = Buffer.from('response.output_audio.delta"')
const earlierAudioDelta = Buffer.from('response.audio.delta"')

/** The length of base64 per millisecond of audio: 24 kHz with 16 bits, and 8 kHz with 8 bits. */
export const audioBytesPerMillisecond = (format: string) => (format === 'pcm16' ? 64 : 32 / 3)

/**
 * Returns whether a provider's frame starts like an audio frame. Most frames do, so this check does not
 * create a string.
 */
export function isAudioDelta(frame: Buffer): boolean {
  const at = typePosition(frame)
  return at > 0 && (hasAt(frame, at, audioDelta) || hasAt(frame, at, earlierAudioDelta))
}

/** Returns the type at the start of a frame, or null if the frame must be parsed to find it. */
export function typeAtStart(frame: Buffer): string | null {
  const at = typePosition(frame)
  const end = at < 0 ? -1 : frame.indexOf(quote, at)
  const type = end < 0 ? '' : frame.toString('latin1', at, end)
  return type === '' || type.includes('\\') ? null : type
}

/** Returns the position of the type's first character, or -1 if the frame must be parsed to find it. */
function typePosition(frame: Buffer): number {
  if (hasAt(frame, 0, typeStart)) return typeStart.length
  if (!hasAt(frame, 0, idStart)) return -1
  const limit = Math.min(frame.length, idStart.length + maxIdBytes)
  let at = idStart.length
  while (at < limit && frame[at] !== quote) {
    if (frame[at] === backslash) return -1
    at += 1
  }
  return hasAt(frame, at, typeAfterId) ? at + typeAfterId.length : -1
}

/** The compared texts are short, so a loop is faster than a native call. */
function hasAt(frame: Buffer, from: number, text: Buffer): boolean {
  for (let at = 0; at < text.length; at += 1) if (frame[from + at] !== text[at]) return false
  return true
}
