import { AudioOrder } from './audio-order.js'
import { JsonMessage } from './json-message.js'
import type { StreamEvent, StreamProtocol } from './stream-protocol.js'

/** Telnyx's media streaming in the mode `rtp`: JSON messages, mu-law in base64. */
export class TelnyxProtocol implements StreamProtocol {
  readonly codec = 'g711_ulaw'
  /** Telnyx takes 20 ms to 30 s at once. */
  readonly frameBytes = 160
  readonly #order = new AudioOrder()
  #isStarted = false

  read(data: Buffer, isBinary: boolean): readonly StreamEvent[] {
    const message = JsonMessage.parse(data, isBinary)
    switch (message.text('event')) {
      case 'start':
        return this.#start(message)
      case 'media':
        return this.#media(message.object('media'))
      case 'dtmf':
        return [{ kind: 'digit', digit: message.object('dtmf').digit('digit') }]
      case 'mark':
        return [{ kind: 'mark', name: message.object('mark').text('name') }]
      case 'error': {
        const code = message.optionalObject('payload')?.optionalCount('code')
        return [{ kind: 'failed', detail: `Telnyx reported the error ${code ?? 'without a code'}.` }]
      }
      case 'stop':
        return [{ kind: 'stopped' }]
      default:
        return []
    }
  }

  play(audio: Buffer): string[] {
    return [JSON.stringify({ event: 'media', media: { payload: audio.toString('base64') } })]
  }

  mark(name: string): string {
    return JSON.stringify({ event: 'mark', mark: { name } })
  }

  clear(): string {
    return JSON.stringify({ event: 'clear' })
  }

  #start(message: JsonMessage): readonly StreamEvent[] {
    if (this.#isStarted) return []
    const start = message.object('start')
    const format = start.object('media_format')
    format.expect('encoding', 'PCMU')
    format.expect('sample_rate', 8000)
    format.expect('channels', 1)
    const callId = start.text('call_control_id')
    const state = start.optionalText('client_state')
    const token = state === null ? null : Buffer.from(state, 'base64').toString('utf8')
    this.#isStarted = true
    return [{ kind: 'started', start: { callId, token } }]
  }

  #media(media: JsonMessage): readonly StreamEvent[] {
    // Our own audio comes back if both tracks are streamed.
    if (!this.#isStarted || media.optionalText('track') === 'outbound') return []
    const audio = media.audio('payload')
    return this.#order.add(media.count('chunk'), audio).map((piece) => ({ kind: 'audio', audio: piece }))
  }
}
