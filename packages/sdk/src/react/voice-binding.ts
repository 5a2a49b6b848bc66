import { type ConnectOptions, startVoice } from '../realtime/connect.js'
import type { Voice } from '../realtime/voice.js'
import type { Levels } from '../realtime/voice-audio.js'
import { firstState, type VoiceState } from '../realtime/voice-state.js'

/** The state without the transcript, so that a component is not rendered for every transcript change. */
export interface VoiceStatus
  extends Pick<
    VoiceState,
    'conversationId' | 'isPersonSpeaking' | 'isResponding' | 'isSpeaking' | 'media' | 'end'
  > {
  /** `idle` until the first start. */
  readonly phase: 'idle' | VoiceState['phase']
  /** The voice itself, for everything without a hook. `null` while idle. */
  readonly voice: Voice | null
}

export const silence: Levels = { input: 0, output: 0 }
export const idleStatus: VoiceStatus = statusOf(firstState, null)

/** One conversation after another, for components that mount and unmount. Nothing is opened before `start`. */
export class VoiceBinding {
  /** The options of the next conversation. */
  options: ConnectOptions
  readonly #listeners = new Set<() => void>()
  readonly #levelListeners = new Set<() => void>()
  #voice: Voice | null = null
  #state = firstState
  #status = idleStatus
  #levels = silence
  #holders = 0

  constructor(options: ConnectOptions) {
    this.options = options
  }

  readonly getState = (): VoiceState => this.#state
  readonly getStatus = (): VoiceStatus => this.#status
  readonly getLevels = (): Levels => this.#levels

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly subscribeLevels = (listener: () => void): (() => void) => {
    this.#levelListeners.add(listener)
    return () => void this.#levelListeners.delete(listener)
  }

  /** Starts a conversation, or returns the current one. */
  readonly start = (): Voice => {
    if (this.#voice !== null && this.#voice.getState().end === null) return this.#voice
    const voice = startVoice(this.options)
    this.#voice = voice
    voice.subscribe(() => this.#refresh(voice))
    voice.on('levels', (levels) => this.#setLevels(voice, levels))
    voice.on('end', () => this.#setLevels(voice, silence))
    this.#refresh(voice)
    return voice
  }

  readonly close = (): void => {
    void this.#voice?.close()
  }

  readonly sendText = async (text: string): Promise<void> => {
    if (this.#voice === null) throw new Error('No conversation was started.')
    await this.#voice.sendText(text)
  }

  readonly mute = (isMuted = true): void => {
    this.#voice?.mute(isMuted)
  }

  /** The conversation lasts as long as it has a holder. StrictMode releases and acquires it again within one task. */
  readonly hold = (): (() => void) => {
    this.#holders += 1
    return () => {
      this.#holders -= 1
      queueMicrotask(() => {
        if (this.#holders === 0) this.close()
      })
    }
  }

  #refresh(voice: Voice): void {
    if (voice !== this.#voice) return
    this.#state = voice.getState()
    const status = statusOf(this.#state, voice)
    if (!isSame(status, this.#status)) this.#status = status
    for (const listener of [...this.#listeners]) listener()
  }

  #setLevels(voice: Voice, levels: Levels): void {
    if (voice !== this.#voice) return
    this.#levels = levels
    for (const listener of [...this.#levelListeners]) listener()
  }
}

function statusOf(state: VoiceState, voice: Voice | null): VoiceStatus {
  const { phase, conversationId, isPersonSpeaking, isResponding, isSpeaking, media, end } = state
  return {
    phase: voice === null ? 'idle' : phase,
    conversationId,
    isPersonSpeaking,
    isResponding,
    isSpeaking,
    media,
    end,
    voice,
  }
}

function isSame(one: VoiceStatus, other: VoiceStatus): boolean {
  return Object.entries(one).every(([name, value]) => Reflect.get(other, name) === value)
}
