import { z } from 'zod'

/** Codes of errors after which the session goes on: a message of the client was not taken. */
export const refusalCodes = [
  'approval_not_pending',
  'approval_not_allowed',
  'approval_not_recorded',
  'session_update_not_allowed',
  'backend_tool_output_not_allowed',
  'function_call_not_allowed',
  'invalid_message',
] as const

export type RefusalCode = (typeof refusalCodes)[number]

/** An error of the service itself, in the shape of the provider's errors: `error.type` tells them apart. */
export const ServiceErrorEvent = z
  .strictObject({
    type: z.literal('error'),
    event_id: z.string().describe('The id of this event.'),
    error: z.strictObject({
      type: z.literal('service_error').describe('Whose error it is: the service, not the provider.'),
      code: z.string().describe('What went wrong, for a program: a reason of the end, or a refusal.'),
      message: z.string().describe('What went wrong, for a person.'),
      param: z.null(),
      event_id: z
        .string()
        .nullable()
        .describe("The `event_id` of the client's message it answers, if it had one."),
    }),
  })
  .meta({
    title: 'error',
    description: 'A message was refused, or the session is about to end.',
  })

export type ServiceErrorEvent = z.output<typeof ServiceErrorEvent>
