import type { MediaState } from '../realtime/voice-audio.js'
import type { MicrophoneOptions } from './audio-options.js'

/** The constraints of every request. `getSettings` returns what the browser applied. */
const wanted = {
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
  channelCount: 1,
} as const

/** Browsers report one change of devices several times. */
const settleMilliseconds = 300

export interface MicrophoneEnv {
  readonly context: AudioContext
  /** Receives the audio. */
  readonly target: AudioNode
  readonly onChange: (state: Partial<MediaState>) => void
}

/** Throws the browser's error, or an explanation if there is no microphone API. */
export async function requestMicrophone(
  options: MicrophoneOptions,
  deviceId: string | null,
): Promise<MediaStream> {
  if (navigator.mediaDevices === undefined)
    throw new Error('Microphones work only on https pages and on localhost.')
  const device = deviceId === null ? {} : { deviceId: { exact: deviceId } }
  return navigator.mediaDevices.getUserMedia({ audio: { ...wanted, ...options.constraints, ...device } })
}

/** What the user can do about it. */
export function describeMicrophoneError(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError')
    return 'Microphone access was denied. Allow it for this page in the browser, and start again.'
  if (name === 'NotFoundError') return 'No microphone was found. Connect one, and start again.'
  if (name === 'NotReadableError') return 'Another program is using the microphone.'
  return error instanceof Error ? error.message : String(error)
}

/** The user's microphone: one track after another, connected to the same node. */
export class Microphone {
  readonly #env: MicrophoneEnv
  readonly #options: MicrophoneOptions
  #stream: MediaStream | null = null
  #source: MediaStreamAudioSourceNode | null = null
  #isMuted = false
  #isOwnStream = true
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #onDeviceChange = () => {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#recover(), settleMilliseconds)
  }

  constructor(env: MicrophoneEnv, options: MicrophoneOptions) {
    this.#env = env
    this.#options = options
  }

  /** Connects a stream, and closes it at the end if it was opened here. */
  open(stream: MediaStream, isOwn: boolean): void {
    this.#connect(stream)
    this.#isOwnStream = isOwn
    navigator.mediaDevices?.addEventListener('devicechange', this.#onDeviceChange)
  }

  /** The new device is opened before the old one is closed, so that a failure loses nothing. */
  async use(deviceId: string): Promise<void> {
    this.#connect(await requestMicrophone(this.#options, deviceId))
    this.#isOwnStream = true
  }

  mute(isMuted: boolean): void {
    this.#isMuted = isMuted
    this.#report()
  }

  close(): void {
    clearTimeout(this.#timer)
    navigator.mediaDevices?.removeEventListener('devicechange', this.#onDeviceChange)
    this.#source?.disconnect()
    this.#stopTracks()
    this.#stream = null
  }

  #connect(stream: MediaStream): void {
    const { context, target } = this.#env
    const source = context.createMediaStreamSource(stream)
    source.connect(target)
    this.#source?.disconnect()
    this.#stopTracks()
    this.#stream = stream
    this.#source = source
    for (const event of ['ended', 'mute', 'unmute'] as const)
      this.#track?.addEventListener(event, () => {
        if (this.#stream !== stream) return
        if (event === 'ended') void this.#recover()
        else this.#report()
      })
    this.#report()
  }

  get #track(): MediaStreamTrack | undefined {
    return this.#stream?.getAudioTracks()[0]
  }

  /** If a device disappears, the system's default device replaces it. */
  async #recover(): Promise<void> {
    if (this.#stream === null || this.#track?.readyState === 'live') return
    try {
      this.#connect(await requestMicrophone(this.#options, null))
      this.#isOwnStream = true
    } catch {
      this.#report()
    }
  }

  #stopTracks(): void {
    if (this.#isOwnStream) for (const track of this.#stream?.getTracks() ?? []) track.stop()
  }

  #report(): void {
    const track = this.#track
    if (track === undefined) return
    track.enabled = !this.#isMuted
    const { deviceId = null, echoCancellation } = track.getSettings()
    const isLive = track.readyState === 'live'
    this.#env.onChange({
      microphone: !isLive ? 'lost' : this.#isMuted || track.muted ? 'muted' : 'on',
      microphoneId: deviceId,
      microphoneLabel: track.label,
      isEchoCancelled: typeof echoCancellation === 'boolean' ? echoCancellation : null,
    })
  }
}
