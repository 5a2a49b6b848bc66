import { z } from 'zod'

const callId = z.string().min(1).describe('The call to decide on. Null counts as left out.')

function decision<Type extends string>(type: Type, description: string) {
  return z
    .looseObject({
      type: z.literal(type),
      callId: callId.nullish(),
      call_id: callId.nullish().describe('The same, in the other accepted spelling.'),
      reason: z.string().nullish().describe('The reason. The model reads it.'),
    })
    .meta({
      title: type,
      description,
    })
}

/** Client messages that the service handles itself. */
export const clientMessages = {
  'approval.approve': decision('approval.approve', 'Approves the pending tool call.'),
  'approval.reject': decision('approval.reject', 'Rejects the pending tool call.'),
} as const
