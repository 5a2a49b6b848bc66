import { startsWith } from './frame-start.js'

const start = Buffer.from('{"type":"')
const quote = 0x22

/** Audio of an answer, by its name of today and its name of before. */
const audioDelta = Buffer.from('{"type":"response.output_audio.delta"')
const earlierAudioDelta = Buffer.from('{"type":"response.audio.delta"')

/** Whether a frame is plainly audio. Most are, and need not even a string made of their type. */
export function isAudioDelta(frame: Buffer): boolean {
  return startsWith(frame, audioDelta) || startsWith(frame, earlierAudioDelta)
}

export type ProviderEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/** The type of a provider's event. Where it stands first, as everyone sends it, nothing is parsed. */
export function providerEventType(frame: Buffer): string | null {
  if (startsWith(frame, start)) {
    const end = frame.indexOf(quote, start.length)
    const type = end < 0 ? '' : frame.toString('latin1', start.length, end)
    if (type !== '' && !type.includes('\\')) return type
  }
  return parseProviderEvent(frame)?.type ?? null
}

export function parseProviderEvent(frame: Buffer): ProviderEvent | null {
  try {
    const value: unknown = JSON.parse(frame.toString('utf8'))
    return isEvent(value) ? value : null
  } catch {
    return null
  }
}

function isEvent(value: unknown): value is ProviderEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Reads a field that should be text. */
export function textField(fields: object | undefined | null, name: string): string | undefined {
  const value = fields && (fields as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

/** Reads a field that should be an object. */
export function objectField(
  fields: object | undefined | null,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const value = fields && (fields as Record<string, unknown>)[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** Reads a field that should be a list of objects. */
export function listField(
  fields: object | undefined | null,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const value = fields && (fields as Record<string, unknown>)[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}

/** Reads a field that should be a number. */
export function numberField(fields: object | undefined | null, name: string): number | undefined {
  const value = fields && (fields as Record<string, unknown>)[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
