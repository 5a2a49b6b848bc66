import { z } from 'zod'

const callId = z
  .string()
  .min(1)
  .describe('The ID of the pending tool call. Required, either as `callId` or as `call_id`.')

function decision<Type extends string>(type: Type, description: string) {
  return z
    .looseObject({
      type: z.literal(type),
      callId: callId.nullish(),
      call_id: callId.nullish().describe('An alias of `callId`.'),
      reason: z.string().nullish().describe('The reason for the decision. It is sent to the model.'),
    })
    .meta({
      title: type,
      description,
    })
}

/** The client messages that the service handles instead of forwarding them. */
export const clientMessages = {
  'approval.approve': decision('approval.approve', 'Approves a pending tool call.'),
  'approval.reject': decision('approval.reject', 'Rejects a pending tool call.'),
} as const
