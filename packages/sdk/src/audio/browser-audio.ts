import {
  type AudioListener,
  type MediaState,
  noMedia,
  type PlayedPart,
  type SpeechChunk,
  type VoiceAudio,
} from '../realtime/voice-audio.js'
import { endBefore, type VoiceEnd } from '../realtime/voice-end.js'
import type { AudioOptions, MicrophoneOptions } from './audio-options.js'
import { describeMicrophoneError, Microphone, requestMicrophone } from './microphone.js'
import { wireRate } from './pcm.js'
import {
  type FromMicrophone,
  type FromSpeaker,
  microphoneName,
  speakerName,
  type ToSpeaker,
} from './worklet-messages.js'
import { workletSource } from './worklet-source.js'

/** A speaker that does not report playback within this time counts as silent. */
const cutMilliseconds = 250

/**
 * Microphone and speaker of a page. Both share one audio context at the device's own rate, because echo cancellation depends
 * on it. It must be created inside the click handler, before the first await. Otherwise browsers block audio.
 */
export class BrowserAudio implements VoiceAudio {
  readonly hasSpeaker: boolean
  readonly #options: AudioOptions
  readonly #context = new AudioContext({ latencyHint: 'interactive' })
  readonly #cuts = new Map<number, (parts: readonly PlayedPart[]) => void>()
  #cutCount = 0
  #media = noMedia
  #listener: AudioListener | null = null
  #microphone: Microphone | null = null
  #speaker: AudioWorkletNode | null = null
  #isMuted = false
  readonly #resume = () => {
    // It may stay pending forever, so the code does not wait for it.
    if (this.#context.state !== 'running') void this.#context.resume().catch(() => undefined)
  }

  constructor(options: AudioOptions) {
    this.#options = options
    this.hasSpeaker = options.speaker !== false
    this.#resume()
    this.#context.addEventListener('statechange', () => this.#changeMedia({}))
    // If the browser requires another user gesture, any gesture counts.
    for (const gesture of ['pointerdown', 'keydown']) globalThis.addEventListener?.(gesture, this.#resume)
  }

  async start(listener: AudioListener): Promise<VoiceEnd | null> {
    this.#listener = listener
    const { microphone = true } = this.#options
    const loaded = this.#loadWorklet()
    const requested = microphone === false ? null : takeStream(microphone)
    // Both run in parallel. If the first fails, the second is not needed.
    requested?.catch(() => undefined)
    const problem = await loaded
    if (problem !== null || this.#context.state === 'closed') {
      if (!(microphone instanceof MediaStream)) void requested?.then(stopTracks, () => undefined)
      return problem
    }
    if (this.hasSpeaker) this.#speaker = this.#makeSpeaker()
    if (requested === null) return null
    try {
      const stream = await requested
      const isOwn = !(microphone instanceof MediaStream)
      this.#openMicrophone(stream, isOwn, isOwn && typeof microphone === 'object' ? microphone : {})
      return null
    } catch (error) {
      return endBefore('microphone_unavailable', describeMicrophoneError(error))
    }
  }

  play({ itemId, contentIndex, samples }: SpeechChunk): void {
    this.#post({ type: 'play', itemId, contentIndex, samples })
  }

  finish(itemId: string): void {
    this.#post({ type: 'finish', itemId })
  }

  cut(): Promise<readonly PlayedPart[]> {
    if (this.#speaker === null) return Promise.resolve([])
    this.#cutCount += 1
    const id = this.#cutCount
    this.#post({ type: 'cut', id })
    return new Promise((resolve) => {
      const settle = (parts: readonly PlayedPart[]) => {
        clearTimeout(timer)
        this.#cuts.delete(id)
        resolve(parts)
      }
      const timer = setTimeout(() => settle([]), cutMilliseconds)
      this.#cuts.set(id, settle)
    })
  }

  mute(isMuted: boolean): void {
    this.#isMuted = isMuted
    this.#microphone?.mute(isMuted)
  }

  async useMicrophone(deviceId: string): Promise<void> {
    await this.#microphone?.use(deviceId)
  }

  async useSpeaker(deviceId: string): Promise<void> {
    if (!hasSinks(this.#context)) throw new Error('This browser cannot switch speakers.')
    await this.#context.setSinkId(deviceId)
  }

  close(): void {
    for (const gesture of ['pointerdown', 'keydown']) globalThis.removeEventListener?.(gesture, this.#resume)
    this.#microphone?.close()
    this.#changeMedia({ microphone: 'off' })
    this.#listener = null
    if (this.#context.state !== 'closed') void this.#context.close()
  }

  async #loadWorklet(): Promise<VoiceEnd | null> {
    const { workletUrl } = this.#options
    const url = workletUrl ?? URL.createObjectURL(new Blob([workletSource], { type: 'text/javascript' }))
    try {
      await this.#context.audioWorklet.addModule(url)
      return null
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return endBefore(
        'audio_unavailable',
        `The page's audio worklet did not load (${why}). ${remedy(workletUrl)}`,
      )
    } finally {
      if (workletUrl === undefined) URL.revokeObjectURL(url)
    }
  }

  #makeSpeaker(): AudioWorkletNode {
    const node = new AudioWorkletNode(this.#context, speakerName, {
      numberOfInputs: 0,
      outputChannelCount: [1],
    })
    node.port.onmessage = ({ data }: MessageEvent<FromSpeaker>) => this.#handle(data)
    node.connect(this.#context.destination)
    return node
  }

  #openMicrophone(stream: MediaStream, isOwn: boolean, options: MicrophoneOptions): void {
    const context = this.#context
    const target = new AudioWorkletNode(context, microphoneName, { numberOfOutputs: 0, channelCount: 1 })
    target.port.onmessage = ({ data }: MessageEvent<FromMicrophone>) => {
      this.#listener?.onInput(data.samples)
      this.#listener?.onLevels({ input: data.level })
    }
    this.#microphone = new Microphone(
      { context, target, onChange: (media) => this.#changeMedia(media) },
      options,
    )
    this.#microphone.open(stream, isOwn)
    this.#microphone.mute(this.#isMuted)
    if (context.state === 'closed') this.#microphone.close()
  }

  #handle(message: FromSpeaker): void {
    if (message.type === 'playing') this.#listener?.onPlaying(message.isPlaying)
    if (message.type === 'level') this.#listener?.onLevels({ output: message.level })
    if (message.type !== 'cut') return
    const parts = message.parts.map(({ itemId, contentIndex, playedSamples }) => ({
      itemId,
      contentIndex,
      playedMilliseconds: (playedSamples * 1000) / wireRate,
    }))
    this.#cuts.get(message.id)?.(parts)
  }

  #changeMedia(fields: Partial<MediaState>): void {
    this.#media = { ...this.#media, ...fields, isAudible: this.#context.state === 'running' }
    this.#listener?.onMedia(this.#media)
  }

  #post(message: ToSpeaker): void {
    this.#speaker?.port.postMessage(message)
  }
}

/** Closes a microphone that is no longer used. */
function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}

function takeStream(microphone: true | MicrophoneOptions | MediaStream): Promise<MediaStream> {
  if (microphone instanceof MediaStream) return Promise.resolve(microphone)
  const options = microphone === true ? {} : microphone
  return requestMicrophone(options, options.deviceId ?? null)
}

/** Chromium has it. The DOM's types do not everywhere. */
function hasSinks(context: AudioContext): context is AudioContext & { setSinkId(id: string): Promise<void> } {
  return 'setSinkId' in context
}

/** Browsers reject a worklet with a bare AbortError that does not mention the content security policy. */
function remedy(workletUrl: string | undefined): string {
  return workletUrl === undefined
    ? 'If the page has a content security policy, serve audio.worklet.js yourself and name it in the option workletUrl, or allow blob: in script-src.'
    : `Check that ${workletUrl} exists, that it allows CORS if it has another origin, and that script-src includes its origin.`
}
