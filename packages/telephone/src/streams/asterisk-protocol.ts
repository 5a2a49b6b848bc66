import { JsonMessage } from './json-message.js'
import { MalformedMessage, type StreamEvent, type StreamProtocol } from './stream-protocol.js'

/** The fields of a message: plain `NAME key:value …` or JSON, as the Asterisk is configured. */
interface Message {
  readonly event: string
  field(name: string): string | null
}

/**
 * Asterisk's chan_websocket: text commands, and mu-law as binary frames. Commands have the format of the first message.
 * Without marks, as before `MARK_MEDIA` existed, played audio is not reported.
 */
export class AsteriskProtocol implements StreamProtocol {
  readonly codec = 'g711_ulaw'
  /** Asterisk cuts off the part of a message that fills no frame. */
  readonly frameBytes = 160
  /** Asterisk keeps 20 seconds. Its XOFF would be late for audio that is sent at once. */
  readonly maxWaitingMilliseconds = 15_000
  readonly #token: string | null
  #isStarted = false
  #isJson = false

  /** Takes the token of the handshake's URL, because the start has none. */
  constructor(token: string | null) {
    this.#token = token
  }

  read(data: Buffer, isBinary: boolean): readonly StreamEvent[] {
    if (isBinary) return this.#isStarted ? [{ kind: 'audio', audio: data }] : []
    const message = parse(data)
    switch (message.event) {
      case 'MEDIA_START':
        return this.#start(message, data)
      case 'DTMF_END':
        return [{ kind: 'digit', digit: readDigit(message) }]
      case 'MEDIA_XOFF':
        return [{ kind: 'flow', isPaused: true }]
      case 'MEDIA_XON':
        return [{ kind: 'flow', isPaused: false }]
      case 'MEDIA_MARK_PROCESSED':
        return [{ kind: 'mark', name: message.field('correlation_id') ?? '' }]
      default:
        return []
    }
  }

  play(audio: Buffer): Buffer[] {
    return [audio]
  }

  mark(name: string): string {
    return this.#isJson
      ? JSON.stringify({ command: 'MARK_MEDIA', correlation_id: name })
      : `MARK_MEDIA ${name}`
  }

  clear(): string {
    return this.#command('FLUSH_MEDIA')
  }

  answer(): string {
    return this.#command('ANSWER')
  }

  hangUp(): string {
    return this.#command('HANGUP')
  }

  #start(message: Message, data: Buffer): readonly StreamEvent[] {
    if (this.#isStarted) return []
    if (message.field('format') !== 'ulaw') throw new MalformedMessage('`format` must be `ulaw`.')
    // Older versions send no `channel_id`.
    const callId = message.field('channel_id') ?? message.field('channel')
    if (callId === null) throw new MalformedMessage('`channel_id` must be a string.')
    this.#isStarted = true
    this.#isJson = isJson(data)
    return [{ kind: 'started', start: { callId, token: this.#token } }]
  }

  #command(command: string): string {
    return this.#isJson ? JSON.stringify({ command }) : command
  }
}

const isJson = (data: Buffer) => data[0] === 0x7b

function parse(data: Buffer): Message {
  if (isJson(data)) {
    const message = JsonMessage.parse(data, false)
    return { event: message.text('event'), field: (name) => message.optionalText(name) }
  }
  const [event = '', ...words] = data.toString('utf8').trim().split(/\s+/)
  if (!/^[A-Z_]+$/.test(event)) throw new MalformedMessage('The message must begin with an event.')
  const fields = new Map(
    words.map((word) => {
      const colon = word.indexOf(':')
      // A mark follows its event without a name.
      return colon < 0 ? ['correlation_id', word] : [word.slice(0, colon), word.slice(colon + 1)]
    }),
  )
  return { event, field: (name) => fields.get(name) || null }
}

function readDigit(message: Message): string {
  const digit = message.field('digit')?.toUpperCase()
  if (digit === undefined || !/^[0-9*#A-D]$/.test(digit))
    throw new MalformedMessage('`digit` must be a digit.')
  return digit
}
