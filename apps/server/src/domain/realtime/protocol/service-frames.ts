import type { ServiceErrorEvent } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { serviceEventPrefix } from '../../../ports/realtime-provider.js'
import type { SessionSetup } from '../../../ports/realtime-stores.js'

export const newServiceEventId = () => `${serviceEventPrefix}${uuid()}`

/** Returns an error event of the service in the provider's format. */
export function errorEvent(code: string, message: string, clientEventId: string | null = null): string {
  const event: ServiceErrorEvent = {
    type: 'error',
    event_id: newServiceEventId(),
    error: { type: 'service_error', code, message, param: null, event_id: clientEventId },
  }
  return JSON.stringify(event)
}

/** Returns the request for a response, which is spoken unless the answer so far was text only. */
export function responseRequest(eventId: string, isTextOnly: boolean): object {
  const response = isTextOnly ? { response: { output_modalities: ['text'] } } : {}
  return { type: 'response.create', event_id: eventId, ...response }
}

/** Returns the response request that makes the model speak the agent's first message. */
export function firstMessageRequest(firstMessage: string): object {
  return {
    type: 'response.create',
    event_id: newServiceEventId(),
    response: {
      instructions: `Say exactly this, word for word, and nothing else:\n${firstMessage}`,
      tool_choice: 'none',
    },
  }
}

const providerFormats: Readonly<Record<string, object>> = {
  pcm16: { type: 'audio/pcm', rate: 24000 },
  g711_ulaw: { type: 'audio/pcmu' },
  g711_alaw: { type: 'audio/pcma' },
}

/** Returns the event that configures the session. Clients must not send it. */
export function sessionUpdate(setup: SessionSetup, eventId: string): object {
  return {
    type: 'session.update',
    event_id: eventId,
    session: {
      type: 'realtime',
      model: setup.model,
      output_modalities: ['audio'],
      instructions: setup.instructions,
      audio: {
        input: {
          format: providerFormats[setup.inputAudioFormat],
          transcription: transcriptionOf(setup),
          turn_detection: turnDetectionOf(setup),
        },
        output: { format: providerFormats[setup.outputAudioFormat], voice: setup.voice },
      },
      tools: setup.tools,
      tool_choice: 'auto',
    },
  }
}

/** Providers know languages by their codes of two letters, without a region. */
function transcriptionOf({ transcriptionModel: model, language }: SessionSetup): object {
  const code = language?.split('-')[0]?.toLowerCase()
  return { model, ...(code?.length === 2 && { language: code }) }
}

function turnDetectionOf({ turnDetection }: SessionSetup): object {
  if (turnDetection?.type === 'server_vad')
    return { type: 'server_vad', silence_duration_ms: turnDetection.silenceMilliseconds }
  return { type: 'semantic_vad', ...(turnDetection && { eagerness: turnDetection.eagerness }) }
}
