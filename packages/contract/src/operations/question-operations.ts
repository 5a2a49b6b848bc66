import { z } from 'zod'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'
import { QuestionAnswer, QuestionInput } from '../question.js'
import { TurnEvent } from '../turn-events.js'

const tag = 'Question'
const turnParams = z.strictObject({
  conversationId: id().describe('The ID of the conversation.'),
  turnId: id().describe('The ID of the turn.'),
})

export const questionOperations = {
  askAgent: defineOperation({
    operationId: 'askAgent',
    method: 'POST',
    path: '/api/v1/Agent/{agentId}/question',
    tag,
    summary: 'Ask an agent',
    description:
      'Returns when the answer is complete. If a tool call requires approval, returns 202 and the turn continues in the background. With `Accept: text/event-stream`, the answer is streamed. The turn continues even if the caller disconnects. The questions of a conversation are answered one after another.',
    scope: 'question:ask',
    params: z.strictObject({ agentId: id().describe('The ID of the agent.') }),
    body: QuestionInput,
    outcome: 'The answer, or a stream of its events.',
    status: 200,
    response: QuestionAnswer,
    events: TurnEvent,
    mayRunInBackground: true,
    isIdempotent: true,
    errors: ['Unavailable', 'BudgetExceeded', 'ErasureInProgress', 'ResponseSchemaNotMet'],
  }),
  getTurn: defineOperation({
    operationId: 'getTurn',
    method: 'GET',
    path: '/api/v1/Conversation/{conversationId}/turn/{turnId}',
    tag,
    summary: 'Retrieve a turn',
    description: 'Returns a question and its answer so far.',
    scope: 'question:ask',
    params: turnParams,
    outcome: 'The turn, with the answer so far.',
    status: 200,
    response: QuestionAnswer,
  }),
  followTurn: defineOperation({
    operationId: 'followTurn',
    method: 'GET',
    path: '/api/v1/Conversation/{conversationId}/turn/{turnId}/events',
    tag,
    summary: 'Follow a turn',
    description:
      'Streams the events of a turn from its start, or after the event in `Last-Event-ID`. The turn can run on any instance. Events are neither lost nor repeated. If the turn has ended and there are no more events, returns 204, so that an `EventSource` stops reconnecting. Events are kept for 24 hours after the end of the turn.',
    scope: 'question:ask',
    params: turnParams,
    outcome: 'A stream of events that continues until the turn ends.',
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
    description: 'The partial answer is kept. If the turn has already ended, the request has no effect.',
    scope: 'question:ask',
    params: turnParams,
    outcome: 'The turn has ended or is about to end. The response has no body.',
    status: 204,
  }),
}
