import { tokenParameter } from './carrier.js'
import { JsonMessage } from './json-message.js'
import { MalformedMessage, type StreamEvent, type StreamProtocol } from './stream-protocol.js'

/** Twilio's Media Streams: JSON messages, mu-law in base64. Other carriers and bridges copy it. */
export class TwilioProtocol implements StreamProtocol {
  readonly codec = 'g711_ulaw'
  #streamSid: string | null = null

  read(data: Buffer, isBinary: boolean): readonly StreamEvent[] {
    const message = JsonMessage.parse(data, isBinary)
    const event = message.text('event')
    if (event === 'start') return this.#start(message)
    if (event === 'stop') return [{ kind: 'stopped' }]
    // Messages of another stream, or before the start, have no meaning.
    if (this.#streamSid === null) return []
    if (event !== 'media' && event !== 'dtmf' && event !== 'mark') return []
    if (message.text('streamSid') !== this.#streamSid) {
      throw new MalformedMessage('`streamSid` names another stream.')
    }
    if (event === 'dtmf') return [{ kind: 'digit', digit: message.object('dtmf').digit('digit') }]
    if (event === 'mark') return [{ kind: 'mark', name: message.object('mark').text('name') }]
    const media = message.object('media')
    // Our own audio comes back if both tracks are streamed.
    if (media.optionalText('track') === 'outbound') return []
    return [{ kind: 'audio', audio: media.audio('payload') }]
  }

  play(audio: Buffer): string[] {
    return [this.#write('media', { media: { payload: audio.toString('base64') } })]
  }

  mark(name: string): string {
    return this.#write('mark', { mark: { name } })
  }

  clear(): string {
    return this.#write('clear', {})
  }

  #start(message: JsonMessage): readonly StreamEvent[] {
    if (this.#streamSid !== null) return []
    const start = message.object('start')
    const format = start.object('mediaFormat')
    format.expect('encoding', 'audio/x-mulaw')
    format.expect('sampleRate', 8000)
    format.expect('channels', 1)
    const callId = start.text('callSid')
    this.#streamSid = start.text('streamSid')
    const token = start.optionalObject('customParameters')?.optionalText(tokenParameter) ?? null
    return [{ kind: 'started', start: { callId, token } }]
  }

  #write(event: string, fields: object): string {
    return JSON.stringify({ event, streamSid: this.#streamSid, ...fields })
  }
}
