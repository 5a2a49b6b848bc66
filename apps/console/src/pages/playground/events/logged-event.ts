/** An event of a session or a turn. Audio is only counted. */
export interface LoggedEvent {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly direction: 'in' | 'out'
  readonly type: string
  readonly event: object
  /** The number and duration of merged audio events, or null for other events. */
  readonly audio: { readonly count: number; readonly seconds: number } | null
}

const audioType = /^(?:input_audio_buffer\.append|response\.(?:output_)?audio\.delta)$/
/** The service's default format: pcm16 at 24 kHz. */
const bytesPerSecond = 48_000
const maxTextLength = 20_000

export const isAudioType = (type: string) => audioType.test(type)

function secondsOf(base64: string): number {
  return (base64.length * 3) / 4 / bytesPerSecond
}

/** The event with audio replaced by its duration, and without large payloads such as pictures and files. */
export function withoutAudio(event: object, isAudio: boolean): { event: object; seconds: number } {
  let seconds = 0
  const shorten = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    if (key === 'audio' || (isAudio && key === 'delta')) {
      seconds += secondsOf(value)
      return `${secondsOf(value).toFixed(2)} s of audio`
    }
    return value.length > maxTextLength ? `${value.slice(0, 200)}… (${value.length} characters)` : value
  }
  return { event: walk(event, shorten), seconds }
}

function walk(value: object, shorten: (key: string, value: unknown) => unknown): object {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? walk(item, shorten) : item))
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      isObject(field) ? walk(field, shorten) : shorten(key, field),
    ]),
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
