import { type Cost, noCost, type QuestionAnswer, type TurnErrorCode, type TurnEvent } from '@parley/contract'
import type {
  MessagePosition,
  MessageRecord,
  StoredTurnEvent,
  TurnRecord,
} from '../../ports/conversation-stores.js'
import type { Stores } from '../../ports/database.js'
import { storable } from '../storable-text.js'
import { costOf } from '../usage/cost.js'

/** Returns events in their stored form, numbered after the given one. */
export function numberedAfter(sequence: number, events: readonly TurnEvent[]): StoredTurnEvent[] {
  return events.map((event, index) => ({ sequence: sequence + 1 + index, event: JSON.stringify(event) }))
}

/** Returns the first event of a turn: the question was accepted. */
export function startedEvent({
  id,
  conversationId,
}: Pick<TurnRecord, 'id' | 'conversationId'>): StoredTurnEvent {
  const event: TurnEvent = { type: 'turn.started', data: { conversationId, turnId: id } }
  return { sequence: 1, event: JSON.stringify(event) }
}

/** Returns the event that the question is stored as a message. */
export function createdEvent(turn: TurnRecord, createdAt: string): TurnEvent {
  const { agentId, questionMessageId, question } = turn
  return {
    type: 'message.created',
    data: { chatbotId: agentId, id: questionMessageId, role: 'user', content: question, createdAt },
  }
}

/** Returns the event for the next part of the answer. */
export function deltaEvent({ agentId, answerMessageId }: TurnRecord, delta: string): TurnEvent {
  return { type: 'response.text.delta', data: { chatbotId: agentId, id: answerMessageId, delta } }
}

/** Returns the event that the answer is stored as a message. */
export function answerEvent({ agentId, answerMessageId }: TurnRecord): TurnEvent {
  return { type: 'response.id', data: { chatbotId: agentId, id: answerMessageId } }
}

/** Returns the last event of a turn with a complete answer. */
export function completedEvent({ agentId }: TurnRecord, output: QuestionAnswer['output']): TurnEvent {
  return { type: 'response.completed', data: { chatbotId: agentId, ...(output !== null && { output }) } }
}

/** Returns the answer as a value, or null if the turn has no response schema or no complete answer. */
export function outputOf({
  state,
  responseSchema,
  answer,
}: Pick<TurnRecord, 'state' | 'responseSchema' | 'answer'>): QuestionAnswer['output'] {
  return state === 'completed' && responseSchema !== null && answer !== null ? JSON.parse(answer) : null
}

/** Returns the last event of a turn without a complete answer. */
export function errorEvent(code: TurnErrorCode, message: string): TurnEvent {
  return { type: 'error', data: { code, message } }
}

/** Returns the message of the question. */
export function questionMessage(turn: TurnRecord, position: MessagePosition): MessageRecord {
  return {
    ...blankMessage(turn, position),
    id: turn.questionMessageId,
    itemId: 'question',
    role: 'user',
    content: turn.question,
  }
}

interface GivenAnswer {
  readonly text: string
  /** Why the answer is incomplete. Null if it is complete. */
  readonly failure: string | null
}

/** Returns the message of the answer. If the answer is incomplete, its failure explains why. */
export function answerMessage(
  turn: TurnRecord,
  position: MessagePosition,
  { text, failure }: GivenAnswer,
): MessageRecord {
  return {
    ...blankMessage(turn, position),
    id: turn.answerMessageId,
    itemId: 'answer',
    role: 'assistant',
    content: storable(text),
    interrupted: failure !== null,
    failure: failure === null ? null : storable(failure),
  }
}

function blankMessage(turn: TurnRecord, { microseconds, counter }: MessagePosition) {
  const saidAt = new Date(Math.floor(microseconds / 1000)).toISOString()
  return {
    organizationId: turn.organizationId,
    conversationId: turn.conversationId,
    originId: turn.id,
    contentIndex: 0,
    positionMicroseconds: microseconds,
    positionCounter: counter,
    createdAt: saidAt,
    updatedAt: saidAt,
    channel: 'text',
    interrupted: false,
    failure: null,
    callId: null,
    name: null,
    arguments: null,
    status: null,
    executionTimeSeconds: null,
  } as const
}

interface TurnUse {
  readonly usage: QuestionAnswer['usage']
  readonly cost: Cost
}

export const unused: TurnUse = {
  usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
  cost: noCost,
}

/** Returns the usage of a turn as it was counted, so that the reported usage equals the charged usage. */
export async function turnUse(stores: Stores, turnId: string): Promise<TurnUse> {
  const sums = await stores.usageLedger.sumOf(turnId)
  return {
    usage: {
      inputTokens: sums.textInput + sums.audioInput + sums.imageInput,
      outputTokens: sums.textOutput + sums.audioOutput,
      cachedInputTokens: sums.cachedTextInput,
    },
    cost: costOf(sums),
  }
}

/** Returns the ids of a turn for the log. */
export function turnFields({ id, organizationId, agentId, conversationId, apiKeyId }: TurnRecord): object {
  return { turnId: id, organizationId, agentId, conversationId, callerId: apiKeyId }
}
