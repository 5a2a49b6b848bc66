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
      'Answers when the answer is complete, or with 202 when a tool waits for approval: the turn then goes on by itself. With `Accept: text/event-stream` the answer comes as it is made. A caller who leaves does not stop the turn. Questions of one conversation are answered one after the other.',
    scope: 'question:ask',
    params: z.strictObject({ agentId: id().describe('The id of the agent.') }),
    body: QuestionInput,
    outcome: 'The answer, complete or stopped; as a stream, its events.',
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
    description: 'How far the answer to a question is.',
    scope: 'question:ask',
    params: turnParams,
    outcome: "The question's turn and how far its answer is.",
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
      'From its start, or after the event that `Last-Event-ID` names, on whichever instance; no event is lost or repeated. After the last event of a turn that has ended the answer is 204, at which an EventSource stops coming again. Events are kept for 24 hours after the turn has ended.',
    scope: 'question:ask',
    params: turnParams,
    outcome: 'The events, as they come, to the end of the turn.',
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
    description: 'What was answered so far is kept. A turn that has ended stays as it is.',
    scope: 'question:ask',
    params: turnParams,
    outcome: 'The turn has ended or is about to; there is no body.',
    status: 204,
  }),
}
