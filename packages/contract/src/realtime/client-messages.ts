import { z } from 'zod'

const callId = z.string().min(1).describe('The call that waits for a decision; null is as if left out.')

function decision<Type extends string>(type: Type, description: string) {
  return z
    .looseObject({
      type: z.literal(type),
      callId: callId.nullish(),
      call_id: callId.nullish().describe('The same, in the other accepted spelling.'),
      reason: z.string().nullish().describe('Why, for the model to read.'),
    })
    .meta({
      title: type,
      description,
    })
}

/** Messages of the client that the service consumes itself. */
export const clientMessages = {
  'approval.approve': decision('approval.approve', 'Lets the waiting tool call run.'),
  'approval.reject': decision('approval.reject', 'Keeps the waiting tool call from running.'),
} as const
