import type { Agent, Parley } from '@parley/sdk'
import { startVoice, type Voice } from '@parley/sdk/realtime'
import { type CallerContext, contextFields } from '../../../data/caller-context'
import { errorText } from '../../../data/error-message'
import { EventLog } from '../events/event-log'
import { newMessageEntry } from '../thread/entry'
import { storedEntries } from '../thread/stored-entries'
import {
  editCall,
  findCall,
  finishMessage,
  putEntry,
  putStored,
  refreshCalls,
  removeEntry,
} from '../thread/thread'
import { ThreadStore } from '../thread/thread-store'
import { beginTiming } from '../thread/timing'
import { bindVoice } from './bind-voice'
import { rememberedTurn } from './remembered-turn'
import { runTurn } from './run-turn'
import { readStored } from './stored-messages'

export interface ConversationState {
  /** Null until the first message creates it. */
  readonly conversationId: string | null
  /**
   * The active voice session. Null if the user left the last one. Otherwise, the last one stays to show why
   * it ended.
   */
  readonly voice: Voice | null
  /** Whether a text turn is running. */
  readonly isAsking: boolean
  /** The number of stored messages before the shown ones. */
  readonly earlierCount: number
}

interface ConversationOptions {
  readonly parley: Parley
  readonly agent: Agent
  readonly conversationId: string | null
  /** Called when the conversation was created. */
  readonly onConversation: (conversationId: string) => void
}

export interface GivenFile {
  readonly id: string
  readonly name: string
}

/** The pauses between polls for the outcome of a call whose events do not reach this page. */
const outcomePauses = [500, 1000, 2000, 4000, 8000]
const workletUrl = '/sdk/v1/audio.worklet.js'

/** The state of one conversation, by voice and text. */
export class Conversation {
  readonly thread = new ThreadStore()
  readonly events = new EventLog()
  readonly #options: ConversationOptions
  readonly #listeners = new Set<() => void>()
  #state: ConversationState
  #turn: { readonly leaving: AbortController; turnId: string | null } | null = null

  constructor(options: ConversationOptions) {
    this.#options = options
    this.#state = {
      conversationId: options.conversationId,
      voice: null,
      isAsking: false,
      earlierCount: 0,
    }
  }

  readonly getState = (): ConversationState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Loads stored messages, and resumes the stream of a running answer. */
  async open(onShown: () => void): Promise<void> {
    await this.showEarlier(null)
    onShown()
    const { conversationId, isAsking } = this.#state
    const turnId = conversationId === null ? null : rememberedTurn.of(conversationId)
    if (conversationId === null || turnId === null || isAsking) return
    await this.#follow(({ signal }) =>
      this.#options.parley.questions.followTurn(conversationId, turnId, { signal }),
    )
  }

  /** The messages before the shown ones, or the newest if null. */
  async showEarlier(before: number | null = this.#state.earlierCount): Promise<void> {
    const { parley, agent } = this.#options
    const { conversationId } = this.#state
    if (conversationId === null) return
    const { messages, waiting, earlierCount } = await readStored(parley, conversationId, before)
    this.thread.change((thread) => putStored(thread, storedEntries(messages, agent, waiting)))
    this.#change({ earlierCount })
  }

  /** Must be called in a click handler. Otherwise browsers block sound and microphone. */
  talk(context: CallerContext | null): void {
    const { parley, agent } = this.#options
    const { conversationId } = this.#state
    const voice = startVoice({
      ticket: (request) =>
        parley.realtimeSessions.create(agent.id, {
          conversationId: request.conversationId,
          ...(context !== null && request.attempt === 0 && contextFields(context)),
        }),
      workletUrl,
      ...(conversationId !== null && { conversationId }),
    })
    this.#change({ voice })
    bindVoice(voice, {
      thread: this.thread,
      events: this.events,
      onConversation: (id) => this.#found(id),
      onAgentDone: this.#refreshSoon,
      onEnd: ({ reason }) => {
        // A user who leaves needs no end message.
        if (reason === 'client_left' && this.#state.voice === voice) this.#change({ voice: null })
        this.#refreshSoon()
      },
    })
  }

  /** Releases the previous voice session. */
  dismissVoice(): void {
    void this.#state.voice?.close()
    this.#change({ voice: null })
  }

  /** Sends text to the voice session. */
  async type(text: string): Promise<void> {
    this.thread.beginExchange(beginTiming(performance.now()))
    await this.#state.voice?.sendText(text)
  }

  /** Asks in text. Rejects if the question did not reach the service, and removes it from the thread. */
  async ask(text: string, files: readonly GivenFile[], context: CallerContext | null): Promise<void> {
    const { parley, agent } = this.#options
    const { conversationId } = this.#state
    const question = newMessageEntry({
      id: `question-${crypto.randomUUID()}`,
      role: 'user',
      channel: 'text',
      text,
      files: files.map(({ name }) => name),
    })
    const body = {
      question: text,
      conversationId,
      fileIds: files.map(({ id }) => id),
      ...(context !== null && contextFields(context)),
    }
    this.thread.beginExchange(beginTiming(performance.now()))
    this.thread.change((thread) => putEntry(thread, question))
    this.events.add('out', { type: 'question', ...body })
    try {
      await this.#follow(({ signal }) => parley.questions.stream(agent.id, body, { signal }), question)
      this.thread.change((thread) => finishMessage(thread, question.id))
    } catch (error) {
      this.thread.change((thread) => removeEntry(thread, question.id))
      throw error
    }
  }

  /** Stops the text answer. The part so far is kept. */
  async stop(): Promise<void> {
    const { conversationId } = this.#state
    const turnId = this.#turn?.turnId ?? null
    if (conversationId === null || turnId === null) this.#turn?.leaving.abort()
    else await this.#options.parley.questions.stopTurn(conversationId, turnId)
  }

  /** Decides a pending call, over the session if its client may decide, or over HTTP as the user. */
  async decide(callId: string, decision: 'approve' | 'reject', reason: string): Promise<void> {
    const { conversationId, voice, isAsking } = this.#state
    const spoken = voice?.getState().approvals.find((approval) => approval.callId === callId)
    if (spoken?.mayDecide) {
      if (decision === 'approve') spoken.approve()
      else spoken.reject(reason === '' ? undefined : reason)
      return
    }
    if (conversationId === null) return
    await this.#options.parley.approvals.decide(conversationId, {
      callId,
      decision,
      reason: reason === '' ? null : reason,
    })
    if (decision === 'approve')
      this.thread.change((thread) => editCall(thread, callId, { status: 'running', deadline: null }))
    if (!isAsking) await this.#awaitOutcome(callId)
  }

  /** Loads the outcomes of calls whose events do not reach this page. */
  async refresh(): Promise<void> {
    const { parley, agent } = this.#options
    const { conversationId } = this.#state
    if (conversationId === null) return
    const { messages, waiting } = await readStored(parley, conversationId, null)
    this.thread.change((thread) => refreshCalls(thread, storedEntries(messages, agent, waiting)))
  }

  /** A failed read is repeated with the next change or when the page opens again. */
  readonly #refreshSoon = () => void this.refresh().catch(() => undefined)

  /** Called when the page closes. Ends the voice session. A text answer continues in the service. */
  leave(): void {
    void this.#state.voice?.close()
    this.#turn?.leaving.abort()
  }

  async #follow(
    open: (options: { signal: AbortSignal }) => Parameters<typeof runTurn>[0],
    question: Parameters<typeof runTurn>[1]['question'] = null,
  ): Promise<void> {
    const turn = { leaving: new AbortController(), turnId: null as string | null }
    this.#turn = turn
    this.#change({ isAsking: true })
    try {
      await runTurn(open({ signal: turn.leaving.signal }), {
        thread: this.thread,
        events: this.events,
        question,
        onStarted: (conversationId, turnId) => {
          turn.turnId = turnId
          rememberedTurn.set({ conversationId, turnId })
          this.#found(conversationId)
        },
        onAgentDone: this.#refreshSoon,
      })
      rememberedTurn.clear()
    } catch (error) {
      if (turn.leaving.signal.aborted) return
      // Once accepted, the question and its answer are stored.
      if (turn.turnId === null) throw error
      this.#complain(error)
    } finally {
      this.#turn = null
      this.#change({ isAsking: false })
    }
  }

  async #awaitOutcome(callId: string): Promise<void> {
    for (const milliseconds of outcomePauses) {
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      await this.refresh()
      const status = findCall(this.thread.get(), callId)?.status
      if (status === 'done' || status === 'failed') return
    }
  }

  #complain(error: unknown): void {
    const text = errorText(error)
    const id = `error-${crypto.randomUUID()}`
    this.thread.change((thread) => putEntry(thread, { kind: 'note', id, text, isProblem: true }))
  }

  #found(conversationId: string): void {
    if (this.#state.conversationId === conversationId) return
    this.#change({ conversationId })
    this.#options.onConversation(conversationId)
  }

  #change(fields: Partial<ConversationState>): void {
    this.#state = { ...this.#state, ...fields }
    for (const listener of [...this.#listeners]) listener()
  }
}
