import { z } from 'zod'
import { id } from './field.js'
import { chatbotId, customEvent, customEvents } from './realtime/custom-events.js'

/** The events of a text turn: those of a session, and those that only text has. */
export const turnEvents = {
  'turn.started': customEvent('turn.started', 'The question was accepted. It is always the first event.', {
    conversationId: id().describe('The conversation of the question.'),
    turnId: id().describe('The id of the turn, to follow it again or to stop it.'),
  }),
  'response.text.delta': customEvent('response.text.delta', 'The next words of the answer.', {
    chatbotId,
    id: id().describe('The id of the stored answer.'),
    delta: z.string().describe('The next words.'),
  }),
  ...customEvents,
  error: customEvent('error', 'The turn ended without a complete answer. It is the last event.', {
    code: z
      .enum(['model_unavailable', 'turn_stopped', 'interrupted', 'internal', 'budget_exceeded'])
      .describe(
        'The reason: the model failed permanently, the turn was stopped, the service stopped or failed, or a budget is used up.',
      ),
    message: z.string().describe('A description of what happened.'),
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
    description: "The data of one server-sent event of a turn. The event's id counts from 1.",
  })
