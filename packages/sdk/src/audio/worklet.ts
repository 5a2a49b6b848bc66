import { toInt16, wireRate } from './pcm.js'
import { PlaybackQueue } from './playback-queue.js'
import { Resampler } from './resampler.js'
import {
  type FromMicrophone,
  type FromSpeaker,
  microphoneName,
  speakerName,
  type ToSpeaker,
} from './worklet-messages.js'

/*
 * The code of the audio thread. It is bundled into one file (packages/sdk/audio.worklet.js), because a worklet is loaded by
 * address and not by a bundler.
 */

const chunkSamples = (wireRate * 40) / 1000
const levelSeconds = 0.05

/** Reads the device's audio at its own rate and emits it at the rate of the wire. */
class MicrophoneProcessor extends AudioWorkletProcessor {
  readonly #resampler = new Resampler(sampleRate, wireRate)
  readonly #chunk = new Float32Array(chunkSamples)
  #length = 0

  process([input]: Float32Array[][]): boolean {
    for (const sample of input?.[0] ?? []) this.#resampler.push(sample, (made) => this.#append(made))
    return true
  }

  #append(sample: number): void {
    this.#chunk[this.#length] = sample
    this.#length += 1
    if (this.#length < chunkSamples) return
    this.#length = 0
    const samples = toInt16(this.#chunk)
    const message: FromMicrophone = { samples, level: loudness(this.#chunk) }
    this.port.postMessage(message, [samples.buffer])
  }
}

class SpeakerProcessor extends AudioWorkletProcessor {
  readonly #queue = new PlaybackQueue(sampleRate)
  #wasPlaying = false
  #framesSinceLevel = 0

  constructor() {
    super()
    this.port.onmessage = ({ data }: MessageEvent<ToSpeaker>) => this.#handle(data)
  }

  process(_: Float32Array[][], [output]: Float32Array[][]): boolean {
    const channel = output?.[0]
    if (channel === undefined) return true
    this.#queue.render(channel)
    this.#report(channel)
    return true
  }

  #handle(message: ToSpeaker): void {
    if (message.type === 'play') this.#queue.push(message, message.samples)
    if (message.type === 'finish') this.#queue.finish(message.itemId)
    if (message.type === 'cut') this.#post({ type: 'cut', id: message.id, parts: this.#queue.cut() })
  }

  #report(channel: Float32Array): void {
    const { isPlaying } = this.#queue
    if (isPlaying !== this.#wasPlaying) this.#post({ type: 'playing', isPlaying })
    this.#framesSinceLevel += channel.length
    if (
      (isPlaying && this.#framesSinceLevel >= levelSeconds * sampleRate) ||
      (this.#wasPlaying && !isPlaying)
    ) {
      this.#framesSinceLevel = 0
      this.#post({ type: 'level', level: isPlaying ? loudness(channel) : 0 })
    }
    this.#wasPlaying = isPlaying
  }

  #post(message: FromSpeaker): void {
    this.port.postMessage(message)
  }
}

function loudness(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.min(1, Math.sqrt(sum / samples.length) * 3)
}

registerProcessor(microphoneName, MicrophoneProcessor)
registerProcessor(speakerName, SpeakerProcessor)
