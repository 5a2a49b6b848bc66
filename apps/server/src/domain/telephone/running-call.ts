import type { EndReason as SessionEndReason } from '@parley/contract'
import type { EndReason as LegEndReason, LegListener } from '@parley/telephone'
import type { Announcements } from '../../ports/announcements.js'
import type { CallLeg } from '../../ports/call-leg.js'
import type { Log } from '../../ports/log.js'
import type { PhoneCallEnd, PhoneCallRecord } from '../../ports/phone-stores.js'
import type { Timers } from '../../ports/time.js'
import { type AnnouncementCause, announcementFor, causeOf } from './announcement-for.js'
import { ApprovalQuestions } from './approval-questions.js'
import { FinalAnnouncement } from './final-announcement.js'
import { LastWords } from './last-words.js'
import { explainLegFailure } from './leg-failure.js'
import type { OpenedSession } from './open-session.js'
import { PhoneToolCalls } from './phone-tool-calls.js'
import { PressedKeys } from './pressed-keys.js'
import { SessionClient, type SpokenAudio } from './session-client.js'

/** What a call needs of the service. */
export interface RunningCallDependencies {
  readonly timers: Timers
  readonly log: Log
  readonly announcements: Announcements
  /** Opens a session for the call, and saves it. Throws if the agent cannot talk at the moment. */
  readonly open: (call: PhoneCallRecord, client: SessionClient) => Promise<OpenedSession>
  /** Saves that the call was answered. */
  readonly answered: (call: PhoneCallRecord) => Promise<void>
  /** Saves the end of the call. Called once. */
  readonly ended: (call: PhoneCallRecord, end: Pick<PhoneCallEnd, 'reason' | 'detail'>) => Promise<void>
  /** Records a transfer by the agent. Returns why it is not allowed, or null. */
  readonly permitTransfer: (to: string) => Promise<string | null>
  readonly isDraining: () => boolean
}

type End = Pick<PhoneCallEnd, 'reason' | 'detail'>

/**
 * How long the provider of the model and its fallbacks may take until one is ready. Twilio waits 15 seconds for the answer
 * of its webhook.
 */
const readyMilliseconds = 13_000
/** How long a prepared call waits for its audio. */
const audioMilliseconds = 20_000
/** How long the other party waits for the end of the call while the database is slow. */
const storeMilliseconds = 2000
/** The audio that the agent may say before the call is answered: a minute in G.711. */
const maxEarlyBytes = 8000 * 60
/** The provider of an outgoing call ends it after 4 hours. The other party hears the reason before. */
const maxCallMilliseconds = 4 * 60 * 60 * 1000 - 30_000

/*
 * One telephone call on this instance: it connects the leg with realtime sessions, one after another.
 *
 *   preparing ──configured──► ready ──attach──► talking ──leg ended──────────────────► ended
 *                                               │   ▲  └─session ended──► leaving ──────┘
 *                                        maximum│   │configured              ▲  played
 *                                               ▼   │                        │
 *                                             reopening ──failed─────────────┘
 *
 * In `leaving`, the other party hears why the call ends. A leg that still rings is rejected instead. A missing leg, the
 * end of the leg, and `end` lead to `ended` from every state.
 *
 * An incoming call is prepared while it rings, and is answered when the session is configured. An outgoing call is
 * attached when the called party has answered. Until the leg is attached, the agent's words wait.
 */
export class RunningCall {
  readonly id: string
  readonly organizationId: string
  /** Settles when the call has ended and everything is stored. */
  readonly done: Promise<void>
  readonly #dependencies: RunningCallDependencies
  #call: PhoneCallRecord
  #state: 'preparing' | 'ready' | 'talking' | 'reopening' | 'leaving' | 'ended' = 'preparing'
  #client: SessionClient
  #leg: CallLeg | null = null
  #early: SpokenAudio[] = []
  #earlyBytes = 0
  #greets = false
  #isAnswered = false
  /** Whether the caller still hears ringing, although the leg is attached. */
  #rings = false
  /** Why the other party hears an announcement, or null. */
  #leavingFor: End | null = null
  #voicemail: 'no' | 'waiting' | 'told' = 'no'
  #cancelTimer: () => void = () => undefined
  #cancelLimit: () => void = () => undefined
  readonly #keys: PressedKeys
  readonly #questions = new ApprovalQuestions()
  readonly #lastWords: LastWords
  readonly #finalAnnouncement: FinalAnnouncement
  readonly #tools: PhoneToolCalls
  #settle: (isReady: boolean) => void = () => undefined
  #resolveDone: () => void = () => undefined

  constructor(dependencies: RunningCallDependencies, call: PhoneCallRecord) {
    this.id = call.id
    this.organizationId = call.organizationId
    this.#dependencies = dependencies
    this.#call = call
    const { timers } = dependencies
    this.#keys = new PressedKeys(timers, {
      pressed: (keys) => {
        if (this.#state === 'talking') this.#client.tell(`[The user pressed the keys ${keys}]`)
      },
      asked: (callId) => this.#client.tell(this.#questions.questionOf(callId)),
      decided: (callId, isApproved) => this.#client.decide(callId, isApproved),
      chosen: (target) => void this.#tools.transferTo(this.#client, target),
    })
    this.#lastWords = new LastWords(timers)
    this.#finalAnnouncement = new FinalAnnouncement(dependencies)
    this.#tools = new PhoneToolCalls(
      {
        hangUp: () => this.end({ reason: 'agent_hung_up', detail: null }),
        sendDigits: (digits) => this.press(digits),
        offerKey: (key, target) => this.#keys.offer(key, target),
        transfer: async (to) => (await dependencies.permitTransfer(to)) ?? (await this.transfer(to)),
      },
      { log: dependencies.log, lastWords: this.#lastWords, targets: call.setup.transferTargets },
    )
    this.#client = this.#newClient()
    this.done = new Promise((resolve) => {
      this.#resolveDone = resolve
    })
  }

  /**
   * Opens the session. Resolves to true when it is configured, and to false if the call has ended before. The call ends
   * if its audio does not arrive in time.
   */
  async prepare(): Promise<boolean> {
    const isReady = await this.#open()
    if (isReady && this.#leg === null)
      this.#startTimer(audioMilliseconds, () =>
        this.end({ reason: 'failed', detail: 'The provider did not send the audio of the call.' }),
      )
    return isReady
  }

  /** Whether the other party hears why the call ends. */
  get isLeaving(): boolean {
    return this.#state === 'leaving'
  }

  /**
   * Connects the audio of the call. The call is answered as soon as the session is configured. If the caller still hears
   * ringing until then (`rings`), the call is rejected if that fails.
   */
  attach(leg: CallLeg, { rings = false }: { readonly rings?: boolean } = {}): void {
    if (this.#state === 'ended' || this.#leg !== null) return leg.refuse()
    this.#leg = leg
    this.#rings = rings
    const { direction, from, to } = this.#call
    const call = {
      direction: direction === 'incoming' ? 'in' : 'out',
      from: from ?? '',
      to: to ?? '',
      callId: this.#call.providerCallId ?? '',
    } as const
    leg.admit(call, this.#legListener())
    this.#accept()
  }

  /** Ends the call. Calls after the first one have no effect. The reason of an announcement wins. */
  end(given: End): void {
    if (this.#state === 'ended') return
    const end = this.#leavingFor ?? given
    this.#state = 'ended'
    this.#cancelTimer()
    this.#cancelLimit()
    this.#keys.stop()
    this.#lastWords.stop()
    this.#finalAnnouncement.stop()
    this.#settle(false)
    // The row comes first, so that the provider's report of the end does not overwrite the reason.
    const { timers, ended, log } = this.#dependencies
    const stored = ended(this.#call, end).catch((error) => {
      log.error({ err: error, callId: this.id }, 'the end of a call was not stored')
    })
    void timers.within(storeMilliseconds, stored).then(() => {
      this.#client.close()
      if (this.#rings) this.#leg?.reject(unavailable)
      else this.#leg?.hangUp()
      void stored.then(this.#resolveDone)
    })
  }

  /** Called when the provider has detected a voicemail. The report may come before the call is connected, and repeatedly. */
  noteVoicemail(): void {
    if (this.#voicemail !== 'no' || this.#state === 'ended' || this.#state === 'leaving') return
    if (this.#call.setup.voicemail === 'hang_up') return this.end({ reason: 'voicemail', detail: null })
    if (this.#call.setup.voicemail !== 'leave_message') return
    this.#voicemail = 'waiting'
    this.#tellVoicemail()
  }

  #tellVoicemail(): void {
    if (this.#voicemail !== 'waiting' || this.#state !== 'talking') return
    this.#voicemail = 'told'
    this.#client.tell('[A voicemail has answered. Leave a short message after the tone.]')
  }

  /** Transfers the call. Returns why this failed, or null. */
  async transfer(to: string): Promise<string | null> {
    if (this.#leg === null || this.#state !== 'talking') return 'The call is not active.'
    const outcome = await this.#leg.transfer(to)
    return outcome.kind === 'refused' ? `The provider refused the transfer (${outcome.status}).` : null
  }

  /** Presses keys for the other party to hear. */
  press(digits: string): void {
    this.#leg?.digits(digits)
  }

  async #open(): Promise<boolean> {
    const settled = new Promise<boolean>((resolve) => {
      this.#settle = resolve
    })
    this.#startTimer(readyMilliseconds, () =>
      this.#leave('lost', { reason: 'failed', detail: 'The model did not respond in time.' }),
    )
    try {
      const opened = await this.#dependencies.open(this.#call, this.#client)
      const { conversationId, realtimeSessionId, endUserId, greets, toolNames } = opened
      this.#call = { ...this.#call, conversationId, realtimeSessionId, endUserId }
      this.#greets = greets
      this.#tools.offer(toolNames)
    } catch (error) {
      const detail = error instanceof Error ? error.message : 'The session could not be opened.'
      this.#dependencies.log.warn({ err: error, callId: this.id }, 'a call got no session')
      this.#leave('lost', { reason: 'failed', detail })
    }
    return settled
  }

  /** Answers the call if both the session and the leg are there. */
  #accept(): void {
    if (this.#state !== 'ready' || this.#leg === null) return
    this.#cancelTimer()
    this.#state = 'talking'
    const isFirst = !this.#isAnswered
    if (isFirst) this.#answer(this.#leg)
    this.#earlyBytes = 0
    for (const { passage, sound } of this.#early.splice(0)) this.#play(passage, sound)
    // Without a greeting, the model chooses the first words. Sessions after the first one continue a conversation.
    if (isFirst && !this.#greets) this.#client.respond()
    this.#tellVoicemail()
  }

  #answer(leg: CallLeg): void {
    const { timers, answered, log } = this.#dependencies
    this.#isAnswered = true
    this.#rings = false
    leg.accept()
    this.#cancelLimit = timers.after(maxCallMilliseconds, () =>
      this.#leave('limit', {
        reason: 'failed',
        detail: 'The call reached the maximum duration of 4 hours.',
      }),
    )
    void answered(this.#call).catch((error) => {
      log.error({ err: error, callId: this.id }, 'the answer of a call was not stored')
    })
  }

  /** Tells the other party why the call ends, and hangs up. */
  #leave(cause: AnnouncementCause, end: End): void {
    if (this.#state === 'ended' || this.#state === 'leaving') return
    const leg = this.#leg
    if (leg === null || this.#rings) return this.end(end)
    this.#state = 'leaving'
    this.#leavingFor = end
    this.#keys.stop()
    this.#lastWords.stop()
    this.#settle(false)
    this.#client.close()
    this.#cancelTimer()
    const heard = !this.#isAnswered && this.#call.direction === 'incoming' ? 'unavailable' : cause
    if (!this.#isAnswered) this.#answer(leg)
    const announcement = announcementFor(heard, this.#call.setup.language)
    void this.#finalAnnouncement.play(leg, announcement, () => this.end(end))
  }

  #newClient(): SessionClient {
    const client: SessionClient = new SessionClient({
      configured: () => this.#configured(client),
      spoken: (audio) => this.#spoken(audio),
      interrupted: () => this.#interrupted(),
      toolCalled: (call) => {
        this.#questions.note(call)
        this.#tools.run(client, call)
      },
      responseDone: () => this.#lastWords.noteResponseDone(),
      approval: (callId, isWaiting) =>
        isWaiting ? this.#keys.await(callId) : this.#keys.noLongerAwait(callId),
      ended: (reason, detail) => this.#sessionEnded(reason, detail),
    })
    return client
  }

  #configured(client: SessionClient): void {
    if (client !== this.#client || (this.#state !== 'preparing' && this.#state !== 'reopening')) return
    this.#cancelTimer()
    this.#state = 'ready'
    this.#settle(true)
    this.#accept()
  }

  #spoken(audio: SpokenAudio): void {
    if (this.#state === 'talking') return this.#play(audio.passage, audio.sound)
    this.#earlyBytes += audio.sound.length
    if (this.#earlyBytes <= maxEarlyBytes) this.#early.push(audio)
  }

  #play(passage: string, sound: Buffer): void {
    this.#lastWords.notePlaying(passage)
    this.#leg?.play(sound, passage)
  }

  /** The other party speaks: silences the agent, and reports to the model how much was heard. */
  #interrupted(): void {
    this.#early = []
    this.#earlyBytes = 0
    this.#lastWords.noteSilence()
    const client = this.#client
    void this.#leg?.clear().then(({ passage, playedMilliseconds }) => {
      if (passage !== null) client.heard(passage, playedMilliseconds)
    })
  }

  #sessionEnded(reason: SessionEndReason, detail: string): void {
    if (this.#state === 'ended' || this.#state === 'leaving') return
    const isTalking = this.#state === 'talking'
    const continues = reason === 'max_duration' || (reason === 'draining' && !this.#dependencies.isDraining())
    if (!isTalking || !continues) {
      const isStopped = reason === 'terminated'
      return this.#leave(causeOf(reason), {
        reason: isStopped ? 'stopped' : 'failed',
        detail: detail || `The session ended: ${reason}.`,
      })
    }
    this.#state = 'reopening'
    this.#keys.forgetApprovals()
    this.#client = this.#newClient()
    void this.#open()
  }

  #legListener(): LegListener {
    return {
      ringing: () => undefined,
      answered: () => undefined,
      audio: (sound) => {
        if (this.#state === 'talking') this.#client.append(sound)
      },
      digit: (digit) => {
        if (this.#state !== 'leaving') this.#keys.press(digit)
      },
      played: (passage) => {
        this.#finalAnnouncement.notePlayed(passage)
        this.#lastWords.notePlayed(passage)
      },
      held: () => undefined,
      ended: (reason) => this.end(endOf(reason)),
    }
  }

  #startTimer(milliseconds: number, action: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#dependencies.timers.after(milliseconds, action)
  }
}

/** The SIP status of a call that cannot be taken at the moment. */
const unavailable = 480

function endOf(reason: LegEndReason): End {
  switch (reason.kind) {
    case 'hung_up':
    case 'hung_up_by_peer':
    case 'cancelled':
    case 'closed':
      return { reason: 'hung_up', detail: null }
    case 'transferred':
      return { reason: 'transferred', detail: null }
    default:
      return { reason: 'failed', detail: explainLegFailure(reason) }
  }
}
