import { z } from 'zod'

/** The codes of errors that reject a client message without ending the session. */
export const rejectionCodes = [
  'approval_not_pending',
  'approval_not_allowed',
  'approval_not_recorded',
  'session_update_not_allowed',
  'backend_tool_output_not_allowed',
  'function_call_not_allowed',
  'invalid_message',
  'item_of_former_provider',
] as const

export type RejectionCode = (typeof rejectionCodes)[number]

/** An error of the service. It has the same structure as errors of the provider, and is distinguished by `error.type`. */
export const ServiceErrorEvent = z
  .strictObject({
    type: z.literal('error'),
    event_id: z.string().describe('The ID of the event.'),
    error: z.strictObject({
      type: z
        .literal('service_error')
        .describe('The source of the error. Errors of the provider have other values.'),
      code: z
        .string()
        .describe('The error code: the end reason of the session, or the code of the rejection.'),
      message: z.string().describe('A human-readable description of the error.'),
      param: z.null(),
      event_id: z
        .string()
        .nullable()
        .describe(
          'The `event_id` of the rejected client message. `null` if it had none, or if the error does not concern a message.',
        ),
    }),
  })
  .meta({
    title: 'error',
    description: 'A client message was rejected, or the session is about to end.',
  })

export type ServiceErrorEvent = z.output<typeof ServiceErrorEvent>
