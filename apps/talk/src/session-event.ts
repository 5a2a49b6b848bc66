import { z } from 'zod'

/* The events that the client handles. The API only ever adds fields and events, so unknown ones are ignored. */

const words = z.string()
const callId = z.string()

function custom<Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), data: z.object(data) })
}

function withDelta<Type extends string>(type: Type) {
  return z.object({ type: z.literal(type), delta: z.string() })
}

function itemEvent<Type extends string>(type: Type) {
  return z.object({
    type: z.literal(type),
    item: z.object({ type: z.string(), call_id: z.string().nullish() }),
  })
}

function bare<Type extends string>(type: Type) {
  return z.object({ type: z.literal(type) })
}

const SessionEvent = z.discriminatedUnion('type', [
  bare('session.updated'),
  bare('input_audio_buffer.speech_started'),
  z.object({
    type: z.literal('error'),
    error: z.object({ type: z.string().nullish(), code: z.string().nullish(), message: words }),
  }),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.completed'),
    transcript: words,
    /** xAI sends the growing transcript several times, `in_progress` until the last one. */
    status: z.string().nullish(),
  }),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.failed'),
    error: z.object({ message: z.string().nullish() }),
  }),
  itemEvent('conversation.item.added'),
  itemEvent('conversation.item.created'),
  bare('response.created'),
  withDelta('response.output_audio_transcript.delta'),
  withDelta('response.output_text.delta'),
  withDelta('response.output_audio.delta'),
  bare('response.output_audio_transcript.done'),
  bare('response.output_text.done'),
  z.object({
    type: z.literal('response.done'),
    response: z.object({
      status: z.string(),
      status_details: z
        .object({
          reason: z.string().nullish(),
          error: z.object({ message: z.string().nullish(), code: z.string().nullish() }).nullish(),
        })
        .nullish(),
      output: z.array(z.object({ type: z.string(), call_id: z.string().nullish() })).default([]),
    }),
  }),
  custom('response.completed', {}),
  custom('response.function_invocation.start', {
    callId,
    title: words,
    arguments: z.string(),
    approvalRequired: z.boolean(),
    chatbotId: z.string(),
  }),
  custom('response.function_invocation.done', {
    callId,
    title: words,
    text: words,
    status: z.number(),
    executionTimeSeconds: z.number(),
    chatbotId: z.string(),
  }),
  custom('approval.waiting', { callId, timeoutSeconds: z.number(), approvedBy: z.string().optional() }),
  custom('approval.approved', { callId }),
  custom('approval.expired', { callId }),
  custom('subagent.start', { id: z.string(), name: words }),
  custom('subagent.done', { chatbotId: z.string() }),
])

export type SessionEvent = z.output<typeof SessionEvent>
export type EventOf<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>

/** Returns null if the client does not handle the event. */
export function readSessionEvent(frame: string): SessionEvent | null {
  try {
    return SessionEvent.safeParse(JSON.parse(frame)).data ?? null
  } catch {
    return null
  }
}
