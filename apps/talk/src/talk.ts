import { AnswerSound } from './answer-sound.js'
import { Approvals, type AskPerson } from './approvals.js'
import type { TalkOptions } from './command-line.js'
import { FirstAnswerNotice } from './first-answer-notice.js'
import { runMicrophone } from './microphone.js'
import { type Page, short } from './page.js'
import { requestSession, type ServiceResult, socketAddress, type TalkAgent } from './service-api.js'
import type { SessionEvent } from './session-event.js'
import type { TurnView } from './turn-view.js'
import { type TurnResult, TurnWait } from './turn-wait.js'
import { type AnswerForm, VoiceSession } from './voice-session.js'
import type { SpokenQuestion } from './wire-sound.js'

export interface TalkParts {
  readonly options: TalkOptions
  readonly agent: TalkAgent
  readonly page: Page
  readonly view: TurnView
  /** Null without an interactive terminal. */
  readonly ask: AskPerson | null
  /** The user closed the input while a call was waiting for approval. */
  readonly onInputClosed: () => void
}

/** The timeout for an agent that should speak first. */
const agentSilenceMilliseconds = 10_000

/** A conversation with one agent, turn by turn. After a session ends, the next turn opens a new one. */
export class Talk {
  readonly #parts: TalkParts
  readonly #sound = new AnswerSound()
  readonly #notice: FirstAnswerNotice
  #session: VoiceSession | null = null
  #wait: TurnWait | null = null
  #conversationId: string | null
  /** Whether the conversation has a message. Then the agent does not speak first. */
  #hasBegun: boolean
  #isLeaving = false
  /** Also prints the answer's text once the service has reported that it has no voice. */
  #answerForm: AnswerForm = 'spoken'

  constructor(parts: TalkParts) {
    this.#parts = parts
    const { page, ask } = parts
    // A pipe always gets the same lines, without this hint.
    const isAttended = ask !== null
    this.#notice = new FirstAnswerNotice(() => {
      if (isAttended)
        page.line(page.paint('dim', '  … the first answer may take longer while the built-in voice loads'))
    })
    this.#conversationId = parts.options.conversationId
    this.#hasBegun = this.#conversationId !== null
  }

  get conversationId(): string | null {
    return this.#conversationId
  }

  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** Opens a session unless one is open. */
  async open(): Promise<ServiceResult<VoiceSession>> {
    if (this.#session !== null && !this.#session.isEnded) return { ok: true, value: this.#session }
    const { options, agent, page } = this.#parts
    const ticket = await requestSession(options, agent.id, this.#conversationId)
    if (!ticket.ok) return ticket
    const isFirst = this.#session === null
    const speaksFirst = !this.#hasBegun && agent.firstMessage !== null
    this.#conversationId = ticket.value.conversationId
    if (isFirst)
      page.line(
        page.paint('dim', `Talking to ${short(agent.name, 40)}, conversation ${this.#conversationId}`),
      )
    const address = socketAddress(options, ticket.value)
    const opening = await VoiceSession.open(address, (session, early) =>
      this.#follow(session, early, speaksFirst),
    )
    if (opening.ok) this.#session = opening.value
    return opening
  }

  /** Resolves when the agent has finished speaking before the user's first turn. */
  async agentFinished(): Promise<void> {
    await this.#wait?.result
  }

  async type(text: string): Promise<TurnResult> {
    const form = this.#answerForm
    const result = await this.#takeTurn({ isSpoken: false }, async (session) => {
      this.#parts.view.begin(performance.now())
      session.sendText(text, form)
    })
    const hasLostVoice = form !== this.#answerForm
    if (result !== 'failed' || !hasLostVoice) return result
    return this.#takeTurn({ isSpoken: false }, async (session) => session.ask(this.#answerForm))
  }

  speak(question: SpokenQuestion): Promise<TurnResult> {
    return this.#takeTurn({ isSpoken: true }, (session, wait, off) =>
      runMicrophone({
        question,
        send: (chunk) => session.sendSound(chunk),
        onSpeechEnd: () => {
          this.#parts.view.begin(performance.now())
          this.#notice.begin()
          wait.endSpeech()
        },
        off,
      }),
    )
  }

  async leave(): Promise<void> {
    this.#isLeaving = true
    await this.#session?.close()
  }

  async #takeTurn(
    { isSpoken }: { readonly isSpoken: boolean },
    start: (session: VoiceSession, wait: TurnWait, off: AbortSignal) => Promise<void>,
  ): Promise<TurnResult> {
    const { view } = this.#parts
    const session = await this.open()
    if (!session.ok) {
      view.problem(session.message)
      return 'failed'
    }
    await this.#wait?.result
    if (this.#isLeaving) return 'ended'
    const wait = new TurnWait({ isSpoken })
    this.#wait = wait
    const switchOff = new AbortController()
    const started = start(session.value, wait, switchOff.signal)
    if (!isSpoken) this.#notice.begin()
    const result = await wait.result
    this.#notice.end()
    switchOff.abort()
    await started
    this.#wait = null
    view.endTurn()
    if (result === 'unheard') view.problem('No answer. Did the audio contain speech?')
    await this.#save()
    return result
  }

  #follow(
    session: VoiceSession,
    early: readonly SessionEvent[],
    speaksFirst: boolean,
  ): (event: SessionEvent) => void {
    const { page, view, ask, options, onInputClosed } = this.#parts
    const approvals = new Approvals({
      page,
      isApprovingAll: options.isApprovingAll,
      ask,
      decide: (callId, decision, reason) => {
        view.begin(performance.now())
        session.decide(callId, decision, reason)
      },
      onInputClosed,
    })
    void session.ended.then(({ message }) => {
      approvals.close()
      if (!this.#isLeaving) view.problem(`Session ended: ${message}`)
      this.#wait?.end('ended')
    })
    const handle = (event: SessionEvent) => {
      this.#notice.handle(event)
      view.show(event, performance.now())
      if (event.type === 'error' && event.error.code === 'speech_unavailable') this.#answerForm = 'written'
      if (event.type === 'response.completed') this.#hasBegun = true
      if (event.type === 'response.output_audio.delta') this.#sound.add(event.delta)
      approvals.handle(event)
      this.#wait?.handle(event)
    }
    if (speaksFirst || early.some(({ type }) => type === 'approval.waiting')) this.#awaitAgent()
    early.forEach(handle)
    return handle
  }

  /** The agent speaks before the user: its first message, or the answer after a pending call of an earlier session. */
  #awaitAgent(): void {
    const wait = new TurnWait({ isSpoken: false, noticingMilliseconds: agentSilenceMilliseconds })
    this.#wait = wait
    wait.endSpeech()
    void wait.result.then(() => {
      this.#wait = null
      this.#parts.view.endTurn()
    })
  }

  async #save(): Promise<void> {
    const { options, page, view } = this.#parts
    if (options.savePath === null) return
    const problem = await this.#sound.save(options.savePath)
    if (problem === null) page.line(page.paint('dim', `  (saved ${options.savePath})`))
    else view.problem(problem)
  }
}
