import type { SessionSetup } from '../../../ports/realtime-session-store.js'

const providerFormats: Readonly<Record<string, object>> = {
  pcm16: { type: 'audio/pcm', rate: 24000 },
  g711_ulaw: { type: 'audio/pcmu' },
  g711_alaw: { type: 'audio/pcma' },
}

/** The configuration of the session, which the service sends and nobody else. */
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
          transcription: { model: setup.transcriptionModel },
          turn_detection: { type: 'semantic_vad' },
        },
        output: { format: providerFormats[setup.outputAudioFormat], voice: setup.voice },
      },
      tools: setup.tools,
      tool_choice: 'auto',
    },
  }
}
