import { z } from 'zod'
import { id } from './field.js'
import { chatbotId, customEvent, customEvents } from './realtime/custom-events.js'

/** The events of a turn that is answered in text: those of a session, and what only text has. */
export const turnEvents = {
  'turn.started': customEvent('turn.started', 'The question was taken; it is always the first event.', {
    conversationId: id().describe('The conversation the question belongs to.'),
    turnId: id().describe('The turn, to follow it again or to stop it.'),
  }),
  'response.text.delta': customEvent('response.text.delta', 'The answer goes on with these words.', {
    chatbotId,
    id: id().describe('The id under which the answer will be stored.'),
    delta: z.string().describe('The next words.'),
  }),
  ...customEvents,
  error: customEvent('error', 'The turn ended without a complete answer; it is the last event.', {
    code: z
      .enum(['model_unavailable', 'turn_stopped', 'interrupted', 'internal', 'budget_exceeded'])
      .describe(
        'What happened: the model failed for good, somebody stopped the turn, the service stopped, it failed, or a budget is used up.',
      ),
    message: z.string().describe('What happened, in words.'),
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
    description: "The data of one server-sent event of a turn; the event's id counts from 1.",
  })
