import type { Parley } from '@parley/sdk'
import { startVoice, type Voice } from '@parley/sdk/realtime'
import {
  BrokenRun,
  type Decision,
  type Exchange,
  type Line,
  type Talk,
  type TalkOptions,
} from './exchange.js'
import { SpokenExchange } from './spoken-exchange.js'
import { type SpeakingVoice, UserMicrophone } from './user-microphone.js'
import { AnswerPlayback } from './voice-turn.js'

export interface VoiceTalkOptions extends TalkOptions {
  readonly parley: Parley
  /** The URL of the service. */
  readonly url: string
  readonly speaker: SpeakingVoice
  readonly voice: string
}

/** A conversation by voice: speaks the user's words in real time into a real session. */
export class VoiceTalk implements Talk {
  readonly #options: VoiceTalkOptions
  readonly #voice: Voice
  readonly #microphone: UserMicrophone
  readonly #playback = new AnswerPlayback()
  #exchange: SpokenExchange | null = null

  private constructor(options: VoiceTalkOptions, voice: Voice) {
    this.#options = options
    this.#voice = voice
    this.#microphone = new UserMicrophone((samples) => voice.sendAudio(samples))
    voice.on('raw', (event) => {
      if (event.type === 'input_audio_buffer.speech_started') this.#fallSilent()
      this.#exchange?.handle(event)
    })
    voice.on('audio', (chunk) => {
      const now = performance.now()
      this.#playback.take(chunk, now)
      this.#exchange?.hear(now)
    })
    void voice.ended.then(({ message }) => this.#exchange?.fail(`The session ended: ${message}`))
  }

  static async open(options: VoiceTalkOptions): Promise<VoiceTalk> {
    const { parley, agentId, stubs, context, url, signal } = options
    const voice = startVoice({
      ticket: ({ conversationId }) =>
        parley.realtimeSessions.create(
          agentId,
          { ...context, conversationId, rehearsal: { tools: stubs } },
          { signal },
        ),
      url,
      maxReconnects: 0,
    })
    signal.addEventListener('abort', () => void voice.close(), { once: true })
    await voice.ready.catch((error: unknown) => {
      throw new BrokenRun(
        `The session did not open: ${error instanceof Error ? error.message : String(error)}`,
      )
    })
    return new VoiceTalk(options, voice)
  }

  async say({ words, interrupts, listenMs }: Line): Promise<Exchange> {
    const sound = await this.#options.speaker.speak(words, this.#options.voice)
    if (!interrupts) this.#playback.clear()
    const exchange = new SpokenExchange(words, this.#voice, this.#playback)
    this.#exchange = exchange
    await Promise.race([this.#microphone.say(sound, () => exchange.begin()), exchange.ended])
    exchange.endSpeech()
    if (listenMs !== null) return exchange.listenFor(listenMs)
    const settled = await exchange.settled()
    this.#microphone.rest()
    return settled
  }

  async decide({ decision, reason }: Decision): Promise<Exchange> {
    const exchange = this.#exchange
    if (exchange === null) throw new Error('No call waits for a decision.')
    exchange.decide()
    const { approvals, conversationId } = this.#voice.getState()
    for (const { callId, mayDecide, approve, reject } of approvals)
      if (!mayDecide && conversationId !== null)
        await this.#decideAsStaff(conversationId, callId, { decision, reason })
      else if (decision === 'approve') approve()
      else reject(reason ?? undefined)
    return exchange.settled()
  }

  async #decideAsStaff(conversationId: string, callId: string, decision: Decision): Promise<void> {
    const { parley, signal } = this.#options
    await parley.approvals.decide(conversationId, { callId, ...decision }, { signal })
  }

  async close(): Promise<void> {
    this.#microphone.close()
    const { conversationId } = this.#voice.getState()
    await this.#voice.close()
    if (conversationId !== null)
      await this.#options.parley.conversations.delete(conversationId).catch(() => undefined)
  }

  /**
   * Stops the playback when the user begins to speak, and reports to the model how much of the answer was
   * heard.
   */
  #fallSilent(): void {
    const part = this.#playback.cut(performance.now())
    if (part === null) return
    this.#exchange?.noteInterruption()
    this.#voice.send({
      type: 'conversation.item.truncate',
      item_id: part.itemId,
      content_index: part.contentIndex,
      audio_end_ms: part.milliseconds,
    })
  }
}
