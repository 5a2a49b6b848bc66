import { setTimeout as wait } from 'node:timers/promises'
import type { TurnEvent } from '@parley/sdk'
import {
  type Actions,
  applyEvent,
  type Decision,
  decided,
  type Exchange,
  type Line,
  noActions,
  type Talk,
  type TalkOptions,
  waitsForPerson,
} from './exchange.js'

/** A turn waits for a person after this long without an event. */
const quietMilliseconds = 300

/** A running turn. Its events are read one at a time, so that nothing changes between calls. */
interface Turn {
  readonly events: AsyncIterator<TurnEvent>
  next: Promise<IteratorResult<TurnEvent>>
  readonly user: string
  readonly startedAt: number
  actions: Actions
  words: string
  firstMs: number | null
  end: { readonly failure: string | null } | null
}

export class TextTalk implements Talk {
  readonly #options: TalkOptions
  #conversationId: string | null = null
  #turnId: string | null = null
  #turn: Turn | null = null

  constructor(options: TalkOptions) {
    this.#options = options
  }

  async say({ words }: Line): Promise<Exchange> {
    await this.#stopTurn()
    const { parley, agentId, stubs, context, signal } = this.#options
    const body = {
      ...context,
      question: words,
      conversationId: this.#conversationId,
      rehearsal: { tools: stubs },
    }
    const startedAt = performance.now()
    const events = parley.questions.stream(agentId, body, { signal })[Symbol.asyncIterator]()
    const turn: Turn = {
      events,
      next: events.next(),
      user: words,
      startedAt,
      actions: noActions,
      words: '',
      firstMs: null,
      end: null,
    }
    this.#turn = turn
    return this.#follow(turn)
  }

  async decide({ decision, reason }: Decision): Promise<Exchange> {
    const { parley, signal } = this.#options
    const turn = this.#turn
    const conversationId = this.#conversationId
    if (turn === null || conversationId === null) throw new Error('No call waits for a decision.')
    const waiting = turn.actions.calls.filter(({ status }) => status === 'waiting')
    turn.actions = decided(turn.actions)
    for (const { callId } of waiting)
      await parley.approvals.decide(conversationId, { callId, decision, reason }, { signal })
    return this.#follow(turn)
  }

  async close(): Promise<void> {
    const { parley } = this.#options
    try {
      await this.#stopTurn()
      if (this.#conversationId !== null) await parley.conversations.delete(this.#conversationId)
    } catch {
      // The rehearsal's retention removes the conversation.
    }
  }

  /** Reads events until the turn ends or waits only for a person. */
  async #follow(turn: Turn): Promise<Exchange> {
    while (turn.end === null) {
      const quiet = waitsForPerson(turn.actions) ? [wait(quietMilliseconds, null)] : []
      const next = await Promise.race([turn.next, ...quiet])
      if (next === null) return exchangeOf(turn)
      if (next.done) turn.end = { failure: null }
      else {
        this.#take(turn, next.value)
        turn.next = turn.events.next()
      }
    }
    // The last read may still reject, and no caller awaits it.
    turn.next.catch(() => undefined)
    this.#turnId = null
    return exchangeOf(turn)
  }

  #take(turn: Turn, event: TurnEvent): void {
    turn.actions = applyEvent(turn.actions, event)
    switch (event.type) {
      case 'turn.started':
        this.#conversationId = event.data.conversationId
        this.#turnId = event.data.turnId
        return
      case 'response.text.delta':
        if (event.data.chatbotId !== this.#options.agentId) return
        turn.firstMs ??= performance.now() - turn.startedAt
        turn.words += event.data.delta
        return
      case 'response.completed':
        if (event.data.chatbotId === this.#options.agentId) turn.end = { failure: null }
        return
      case 'error':
        turn.end = { failure: `${event.data.code}: ${event.data.message}` }
    }
  }

  /** Stops a turn that is no longer awaited, because the next question would queue behind it. */
  async #stopTurn(): Promise<void> {
    const [conversationId, turnId] = [this.#conversationId, this.#turnId]
    this.#turnId = null
    this.#turn?.next.catch(() => undefined)
    if (conversationId === null || turnId === null) return
    await this.#options.parley.questions.stopTurn(conversationId, turnId)
  }
}

function exchangeOf({ user, words, firstMs, actions, end }: Turn): Exchange {
  const state = end === null ? 'waiting' : end.failure === null ? 'answered' : 'failed'
  return { ...actions, user, words, firstMs, state, failure: end?.failure ?? null, interrupted: 'nobody' }
}
