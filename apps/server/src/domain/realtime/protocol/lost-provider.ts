import type { ResponseDoneEvent } from './provider-event.js'
import { newServiceEventId } from './service-frames.js'

/** A response that its provider will not end. */
interface LostResponse {
  /** Empty if the provider has not sent one. */
  readonly responseId: string
  /** The items whose words are complete. */
  readonly wholeItemIds: readonly string[]
}

const error = {
  type: 'service_error',
  code: 'provider_closed',
  message: 'The connection to the model was lost. Another one continues.',
} as const

/** Returns the event that ends the response for the parts of the session. */
export function lostResponse({ responseId, wholeItemIds }: LostResponse): ResponseDoneEvent {
  return {
    type: 'response.done',
    responseId: responseId === '' ? null : responseId,
    status: 'failed',
    isCutOff: true,
    output: wholeItemIds.map((itemId) => ({ kind: 'message', itemId, status: 'completed' })),
    usage: null,
  }
}

/** Returns the event that ends the response for the client. */
export function lostResponseEvent({ responseId, wholeItemIds }: LostResponse): object {
  const output = wholeItemIds.map((id) => ({
    id,
    object: 'realtime.item',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [],
  }))
  return {
    type: 'response.done',
    event_id: newServiceEventId(),
    response: {
      ...(responseId !== '' && { id: responseId }),
      object: 'realtime.response',
      status: 'failed',
      status_details: { type: 'failed', error },
      output,
      usage: null,
    },
  }
}

/** Returns the event that ends the transcription for the client, unless the provider has sent no id. */
export function lostSpeechEvent({
  itemId,
  contentIndex,
}: {
  readonly itemId: string
  readonly contentIndex: number
}): readonly object[] {
  if (itemId.startsWith(unnamedPrefix)) return []
  return [
    {
      type: 'conversation.item.input_audio_transcription.failed',
      event_id: newServiceEventId(),
      item_id: itemId,
      content_index: contentIndex,
      error,
    },
  ]
}

/** The prefix of the ids that the service gives to segments without one. */
export const unnamedPrefix = 'unnamed:'
