import { describe, expect, test } from 'vitest'
import { resourceName } from '#server/adapters/gemini-live/gemini-model.js'
import { setupMessage } from '#server/adapters/gemini-live/setup.js'
import { makeBetaNames } from '#server/adapters/openai-realtime/dialects/beta-names.js'
import { makeGrokVoice } from '#server/adapters/openai-realtime/dialects/grok-voice.js'
import { makeQwenOmni } from '#server/adapters/openai-realtime/dialects/qwen-omni.js'
import { makeVoiceLive } from '#server/adapters/openai-realtime/dialects/voice-live.js'

/** The configuration of a call whose phone number has these settings. */
function sessionWith(turn_detection: object) {
  const format = { type: 'audio/pcmu' }
  return { model: 'a-model', audio: { input: { format, turn_detection }, output: { format, voice: 'a' } } }
}

const pause = { type: 'server_vad', silence_duration_ms: 700 }
const eager = { type: 'semantic_vad', eagerness: 'high' }
const answers = { create_response: true, interrupt_response: true }

const dialects = { xai: makeGrokVoice, beta: makeBetaNames, voiceLive: makeVoiceLive, qwen: makeQwenOmni }

describe('the settings of one response', () => {
  const response = {
    output_modalities: ['text'],
    instructions: 'Be brief.',
    audio: { output: { voice: 'ava', format: { type: 'audio/pcmu' } } },
  }
  const request = { type: 'response.create', response }

  test('have the names of the beta [RT-59]', () => {
    expect(makeBetaNames().toProvider(request)).toEqual({
      event: {
        type: 'response.create',
        response: {
          ...{ modalities: ['text'], instructions: 'Be brief.' },
          ...{ voice: 'ava', output_audio_format: 'g711_ulaw' },
        },
      },
    })
  })

  test('have the names of Voice Live [RT-55]', () => {
    expect(makeVoiceLive().toProvider(request)).toMatchObject({
      event: { response: { modalities: ['text'], voice: { type: 'openai', name: 'ava' } } },
    })
  })
})

describe('the pause that ends the speech of a caller', () => {
  test.each(Object.entries(dialects))('is passed on by %s [RT-55]', (_name, make) => {
    const sent = make().toProvider({ type: 'session.update', session: sessionWith(pause) })
    expect(sent).toMatchObject({ event: { session: { turn_detection: { ...pause, ...answers } } } })
  })

  test.each(Object.entries(dialects))('is left to the provider by default: %s [RT-55]', (name, make) => {
    const sent = make().toProvider({ type: 'session.update', session: sessionWith(eager) })
    const type = name === 'qwen' ? 'semantic_vad' : 'server_vad'
    expect('event' in sent && sent.event.session).toMatchObject({ turn_detection: { type, ...answers } })
    expect(JSON.stringify(sent)).not.toMatch(/eagerness|silence/)
  })

  test('is passed on to Gemini [RT-64]', () => {
    const setupFor = (turnDetection: object) =>
      setupMessage(sessionWith(turnDetection), { items: [], handle: null, nameOf: resourceName }).setup
    const realtimeInputConfig = { automaticActivityDetection: { silenceDurationMs: 700 } }
    expect(setupFor(pause)).toMatchObject({ realtimeInputConfig })
    expect(setupFor(eager)).not.toHaveProperty('realtimeInputConfig')
  })
})
