import { decodeMuLaw, encodeMuLaw } from '../g711.js'
import { tokenParameter } from './carrier.js'
import { JsonMessage } from './json-message.js'
import {
  MalformedMessage,
  type StreamEvent,
  type StreamFrame,
  type StreamProtocol,
} from './stream-protocol.js'

/** The format that the NCCO asks for. */
export const vonageContentType = 'audio/l16;rate=8000'

const frameSamples = 160

/** Vonage's WebSocket: JSON text messages, and audio as binary frames of 16-bit samples, low byte first. */
export class VonageProtocol implements StreamProtocol {
  readonly codec = 'g711_ulaw'
  /** Vonage takes frames of 20 ms, and keeps 3072 of them. */
  readonly frameBytes = frameSamples
  readonly maxWaitingMilliseconds = 50_000
  #isStarted = false

  read(data: Buffer, isBinary: boolean): readonly StreamEvent[] {
    if (isBinary) return this.#isStarted ? [{ kind: 'audio', audio: compress(data) }] : []
    const message = JsonMessage.parse(data, isBinary)
    const event = message.optionalText('event')
    if (event === 'websocket:connected') return this.#start(message)
    if (event === 'websocket:dtmf') return [{ kind: 'digit', digit: message.digit('digit') }]
    if (event !== 'websocket:notify') return []
    const name = message.optionalObject('payload')?.optionalText('mark')
    return name ? [{ kind: 'mark', name }] : []
  }

  play(audio: Buffer): StreamFrame[] {
    const frames: StreamFrame[] = []
    for (let at = 0; at < audio.length; at += frameSamples) {
      frames.push(expand(audio.subarray(at, at + frameSamples)))
    }
    return frames
  }

  mark(name: string): string {
    return JSON.stringify({ action: 'notify', payload: { mark: name } })
  }

  clear(): string {
    return JSON.stringify({ action: 'clear' })
  }

  #start(message: JsonMessage): readonly StreamEvent[] {
    if (this.#isStarted) return []
    message.expect('content-type', vonageContentType)
    this.#isStarted = true
    // Vonage merges our headers into the message.
    const token = message.optionalText(tokenParameter)
    return [{ kind: 'started', start: { callId: message.optionalText('callId') ?? '', token } }]
  }
}

function compress(samples: Buffer): Buffer {
  if (samples.length % 2 !== 0) throw new MalformedMessage('The audio must have whole samples.')
  const audio = Buffer.allocUnsafe(samples.length / 2)
  for (let at = 0; at < audio.length; at += 1) audio[at] = encodeMuLaw(samples.readInt16LE(at * 2))
  return audio
}

function expand(audio: Buffer): Buffer {
  const samples = Buffer.allocUnsafe(audio.length * 2)
  for (let at = 0; at < audio.length; at += 1) samples.writeInt16LE(decodeMuLaw(audio[at] ?? 0xff), at * 2)
  return samples
}
