import { z } from 'zod'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'
import { QuestionAnswer, QuestionInput } from '../question.js'
import { TurnEvent } from '../turn-events.js'

const tag = 'Question'
const turnParams = z.strictObject({
  conversationId: id().describe('The id of the conversation.'),
  turnId: id().describe('The id of the turn.'),
})

export const questionOperations = {
  askAgent: defineOperation({
    operationId: 'askAgent',
    method: 'POST',
    path: '/api/v1/Agent/{agentId}/question',
    tag,
    summary: 'Ask an agent',
    description:
      'Answers when the answer is complete, or with 202 when a tool call waits for approval. The turn then continues in the background. With `Accept: text/event-stream` the answer is streamed. A turn continues if the caller disconnects. Questions of one conversation are answered one after the other.',
    scope: 'question:ask',
    params: z.strictObject({ agentId: id().describe('The id of the agent.') }),
    body: QuestionInput,
    outcome: 'The complete or stopped answer. As a stream: its events.',
    status: 200,
    answer: QuestionAnswer,
    events: TurnEvent,
    mayGoOn: true,
    isIdempotent: true,
    refusals: ['Unavailable', 'BudgetExceeded'],
  }),
  getTurn: defineOperation({
    operationId: 'getTurn',
    method: 'GET',
    path: '/api/v1/Conversation/{conversationId}/turn/{turnId}',
    tag,
    summary: 'Read a turn',
    description: 'The state of the answer to a question.',
    scope: 'question:ask',
    params: turnParams,
    outcome: 'The turn and the state of its answer.',
    status: 200,
    answer: QuestionAnswer,
  }),
  followTurn: defineOperation({
    operationId: 'followTurn',
    method: 'GET',
    path: '/api/v1/Conversation/{conversationId}/turn/{turnId}/events',
    tag,
    summary: 'Follow a turn',
    description:
      'From its start, or after the event in `Last-Event-ID`, on any instance. Events are neither lost nor repeated. After the last event of an ended turn the answer is 204, so that an EventSource stops reconnecting. Events are kept for 24 hours after the turn has ended.',
    scope: 'question:ask',
    params: turnParams,
    outcome: 'The events, until the turn ends.',
    status: 200,
    events: TurnEvent,
    isResumable: true,
  }),
  stopTurn: defineOperation({
    operationId: 'stopTurn',
    method: 'DELETE',
    path: '/api/v1/Conversation/{conversationId}/turn/{turnId}',
    tag,
    summary: 'Stop a turn',
    description: 'The partial answer is kept. An ended turn does not change.',
    scope: 'question:ask',
    params: turnParams,
    outcome: 'The turn has ended or is about to end. The answer has no body.',
    status: 204,
  }),
}
