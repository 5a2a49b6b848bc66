import { z } from 'zod'

/** Codes of errors that do not end the session: a client message was rejected. */
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

/** An error of the service, in the shape of the provider's errors. `error.type` distinguishes them. */
export const ServiceErrorEvent = z
  .strictObject({
    type: z.literal('error'),
    event_id: z.string().describe('The id of this event.'),
    error: z.strictObject({
      type: z.literal('service_error').describe('The source of the error: the service, not the provider.'),
      code: z.string().describe('The code of the error: an end reason or a rejection.'),
      message: z.string().describe('What went wrong.'),
      param: z.null(),
      event_id: z
        .string()
        .nullable()
        .describe('The `event_id` of the rejected client message, if it had one.'),
    }),
  })
  .meta({
    title: 'error',
    description: 'A client message was rejected, or the session is about to end.',
  })

export type ServiceErrorEvent = z.output<typeof ServiceErrorEvent>
