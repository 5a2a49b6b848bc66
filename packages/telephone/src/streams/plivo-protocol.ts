import { tokenParameter } from './carrier.js'
import { JsonMessage } from './json-message.js'
import { MalformedMessage, type StreamEvent, type StreamProtocol } from './stream-protocol.js'

/** The extra headers are `name=value` pairs. Plivo may put `X-PH-` before a name, or send them as JSON. */
const tokenPattern = new RegExp(
  `(?:^|[^A-Za-z0-9-])(?:X-PH-)?${tokenParameter}["']?\\s*[=:]\\s*["']?([A-Za-z0-9]+)`,
  'i',
)

/** Plivo's audio streaming: JSON messages, mu-law in base64. */
export class PlivoProtocol implements StreamProtocol {
  readonly codec = 'g711_ulaw'
  #streamId: string | null = null

  read(data: Buffer, isBinary: boolean): readonly StreamEvent[] {
    const message = JsonMessage.parse(data, isBinary)
    const event = message.text('event')
    if (event === 'start') return this.#start(message)
    if (event === 'stop') return [{ kind: 'stopped' }]
    if (this.#streamId === null) return []
    const streamId = message.optionalText('streamId')
    if (streamId !== null && streamId !== this.#streamId) {
      throw new MalformedMessage('`streamId` names another stream.')
    }
    if (event === 'dtmf') return [{ kind: 'digit', digit: message.object('dtmf').digit('digit') }]
    if (event === 'playedStream') return [{ kind: 'mark', name: message.text('name') }]
    if (event !== 'media') return []
    const media = message.object('media')
    if (media.optionalText('track') === 'outbound') return []
    return [{ kind: 'audio', audio: media.audio('payload') }]
  }

  play(audio: Buffer): string[] {
    const payload = audio.toString('base64')
    return [this.#write('playAudio', { media: { contentType: 'audio/x-mulaw', sampleRate: 8000, payload } })]
  }

  mark(name: string): string {
    return this.#write('checkpoint', { name })
  }

  clear(): string {
    return this.#write('clearAudio', {})
  }

  digits(digits: string): string {
    return JSON.stringify({ event: 'sendDTMF', dtmf: digits })
  }

  #start(message: JsonMessage): readonly StreamEvent[] {
    if (this.#streamId !== null) return []
    const start = message.object('start')
    const format = start.object('mediaFormat')
    format.expect('encoding', 'audio/x-mulaw')
    format.expect('sampleRate', 8000)
    const callId = start.text('callId')
    this.#streamId = start.text('streamId')
    const headers = message.optionalText('extra_headers') ?? start.optionalText('extra_headers') ?? ''
    return [{ kind: 'started', start: { callId, token: tokenPattern.exec(headers)?.[1] ?? null } }]
  }

  #write(event: string, fields: object): string {
    return JSON.stringify({ event, streamId: this.#streamId, ...fields })
  }
}
