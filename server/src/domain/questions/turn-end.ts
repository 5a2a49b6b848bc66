import type { TurnErrorCode, TurnEvent } from '@parley/contract'
import { type ChatUsage, noUsage } from '../../ports/chat-model.js'
import type { Clock } from '../../ports/clock.js'
import type { MessagePosition } from '../../ports/conversation-store.js'
import type { TurnEnd, TurnRecord } from '../../ports/turn-store.js'
import type { TurnLog } from './turn-log.js'
import { answerMessage, createdEvent, questionMessage } from './turn-messages.js'

const unknownOutcome = 'The turn ended while the tool ran; its outcome is unknown.'

/** What came of a turn: what was said, and why it is not all where it is not. */
export type TurnOutcome = Pick<TurnEnd, 'state' | 'failure'> & {
  readonly code: TurnErrorCode | null
  readonly text: string
  readonly usage: ChatUsage
}

/** Asking again would lead to the same call a second time. */
export const waitsOn =
  'It waits on: once it is decided, it is seen to, and the next question knows what came of it.'

/** Why a turn is given up before its answer is complete. */
export const interruptions = {
  stopped: { state: 'stopped', code: 'turn_stopped', failure: 'The turn was stopped.' },
  draining: {
    state: 'failed',
    code: 'interrupted',
    failure: 'The service was shut down while it answered. Ask again.',
  },
  unasked: {
    state: 'failed',
    code: 'interrupted',
    failure: 'The service was shut down before this question was answered. Ask again.',
  },
  waiting: {
    state: 'failed',
    code: 'interrupted',
    failure: `The service was shut down while a call waited for approval. ${waitsOn}`,
  },
  overflow: {
    state: 'failed',
    code: 'internal',
    failure: 'The service could not store the answer. Ask again.',
  },
  lost: {
    state: 'failed',
    code: 'interrupted',
    failure: 'The service was taken for dead while it answered.',
  },
} as const

export type Interruption = keyof typeof interruptions

/** The model cannot be asked, or failed for good. */
export function unanswered(detail: string): TurnOutcome {
  return { state: 'failed', code: 'model_unavailable', failure: detail, text: '', usage: noUsage }
}

export interface EndingTurn extends TurnOutcome {
  readonly hasStarted: boolean
  readonly nextPosition: () => MessagePosition
}

/** Writes down how a turn ended. Question, tools, then the answer: its place is where it ends. */
export function endTurn(
  { clock }: { readonly clock: Clock },
  log: TurnLog,
  turn: TurnRecord,
  { state, code, failure, text, usage, hasStarted, nextPosition }: EndingTurn,
): void {
  // A question that was given up before its turn is kept as well.
  const unasked = hasStarted ? null : questionMessage(turn, nextPosition())
  const message = answerMessage(turn, nextPosition(), { text, failure })
  const events: TurnEvent[] = [
    ...(unasked === null ? [] : [createdEvent(turn, unasked.createdAt)]),
    { type: 'response.id', data: { chatbotId: turn.agentId, id: turn.answerMessageId } },
    code === null
      ? { type: 'response.completed', data: { chatbotId: turn.agentId } }
      : { type: 'error', data: { code, message: failure ?? '' } },
  ]
  log.end(turn.conversationId, events, async (stores, positionMicroseconds) => {
    const at = clock.now().toISOString()
    // What never started has no time of its own that others would agree to.
    const place = unasked === null ? {} : { positionMicroseconds }
    if (unasked !== null) await stores.conversations.addMessage({ ...unasked, ...place })
    await stores.conversations.addMessage({ ...message, ...place })
    if (code !== null) await stores.conversations.failRunningCalls(turn.id, unknownOutcome, at)
    const { content: answer, failure: told } = message
    await stores.turns.end(turn.id, { state, answer, failure: told, usage }, at)
    // What came to nothing may be asked again under the same key.
    if (state === 'failed' && turn.idempotencyKey !== null)
      await stores.idempotency.forget(turn.organizationId, turn.idempotencyKey)
  })
}
