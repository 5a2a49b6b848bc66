import { randomBytes } from 'node:crypto'

/** 100 ms of PCM16 at 24 kHz. */
const audio = randomBytes(4800).toString('base64')

/** A provider as far as a talking session needs it. */
export interface StandIn {
  /** The name in the table. */
  readonly name: string
  readonly kind: string
  readonly model: string
  /** The confirmation of a session. */
  readonly confirmations: readonly object[]
  /** Begins the response that all audio belongs to. */
  readonly opening: readonly object[]
  /** 100 ms of the model's speech. */
  readonly audio: object
}

const place = { response_id: 'resp_1', item_id: 'item_1', output_index: 0, content_index: 0 }
const created = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } }

/** Relayed as it comes, except that xAI's growing transcripts and the names of Voice Live and Qwen are converted. */
const near = (kind: string, delta: string): StandIn => ({
  name: kind,
  kind,
  model: 'bench',
  confirmations: [
    { type: 'session.created', session: { id: 'sess_1' } },
    { type: 'session.updated', session: { id: 'sess_1' } },
  ],
  opening: [created],
  audio: { type: delta, event_id: 'event_1', ...place, delta: audio },
})

/** The first one is the measure: its frames are relayed unparsed. */
export const standIns: readonly StandIn[] = [
  near('openai-compatible', 'response.output_audio.delta'),
  near('xai', 'response.output_audio.delta'),
  {
    ...near('azure-voice-live', 'response.audio.delta'),
    // Its type is not the first field.
    audio: { event_id: 'event_1', type: 'response.audio.delta', ...place, delta: audio },
  },
  near('qwen', 'response.audio.delta'),
  {
    name: 'google',
    kind: 'google',
    model: 'bench',
    confirmations: [{ setupComplete: {} }],
    opening: [],
    audio: {
      serverContent: {
        modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: audio } }] },
      },
    },
  },
  {
    name: 'gpt-live',
    kind: 'openai',
    model: 'gpt-live-1',
    confirmations: [{ type: 'session.started', event_id: 'event_1', session: { id: 'live_1' } }],
    opening: [],
    audio: { type: 'session.output_audio.delta', delta: audio },
  },
]

/** 100 ms of the user's speech, as most clients send it. */
export const clientFrame = `{"type":"input_audio_buffer.append","audio":"${audio}"}`
