import { z } from 'zod'
import { id } from './field.js'
import { chatbotId, customEvent, customEvents } from './realtime/custom-events.js'

/** The events of a text turn: the custom events of a session, and the events that exist only for text. */
export const turnEvents = {
  'turn.started': customEvent('turn.started', 'The question was accepted. This is always the first event.', {
    conversationId: id().describe('The ID of the conversation.'),
    turnId: id().describe('The ID of the turn. Use it to resume the stream or to stop the turn.'),
  }),
  'response.text.delta': customEvent('response.text.delta', 'The next part of the answer.', {
    chatbotId,
    id: id().describe('The ID of the stored answer.'),
    delta: z.string().describe('The next part of the text.'),
  }),
  ...customEvents,
  'response.completed': customEvent(
    'response.completed',
    'Persistence of the assistant response completed.',
    {
      chatbotId,
      output: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('The answer as a value. Only for a question with `responseSchema`.'),
    },
  ),
  error: customEvent('error', 'The turn ended without a complete answer. This is always the last event.', {
    code: z
      .enum([
        'model_unavailable',
        'turn_stopped',
        'interrupted',
        'internal',
        'budget_exceeded',
        'response_schema_not_met',
      ])
      .describe(
        'The error code. `model_unavailable`: the model failed permanently. `turn_stopped`: it was stopped. `interrupted`: the service stopped. `internal`: the service failed. `budget_exceeded`: a budget is used up. `response_schema_not_met`: the answer does not match.',
      ),
    message: z.string().describe('A human-readable description of the error.'),
  }),
} as const

export type TurnEventType = keyof typeof turnEvents
export type TurnEvent = {
  [Type in TurnEventType]: z.output<(typeof turnEvents)[Type]>
}[TurnEventType]

export type TurnErrorCode = z.output<(typeof turnEvents)['error']>['data']['code']

const [first, ...others] = Object.values(turnEvents)

/** The data of one server-sent event. */
export const TurnEvent = z
  .discriminatedUnion('type', [first as (typeof turnEvents)['turn.started'], ...others])
  .meta({
    id: 'TurnEvent',
    description:
      'The data of one server-sent event of a turn. The IDs of the events are consecutive numbers that start at 1.',
  })
