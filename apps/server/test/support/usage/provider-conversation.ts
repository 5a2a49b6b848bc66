import type { UsageTokens } from '@parley/contract'

/*
 * The events of a provider in a voice conversation, and the expected usage and cost.
 *
 * Recorded: `recordedTranscription`, `recordedStart` and `recordedResponse` are frames of OpenAI's Realtime
 * API. They are copied verbatim from its OpenAPI document (github.com/openai/openai-openapi at f85dbe2 of
 * 2026-08-21, MIT).
 *
 * Hand-made: all other frames, because no recording contains them. Each is a recorded frame with other ids,
 * output and usage, so its fields match the recording. A transcription that is priced by time has the `usage`
 * from the same document (`TranscriptTextUsageDuration`). All frames were validated strictly against that
 * document.
 *
 * The conversation has three responses: a recorded one, one with a call and cached text, audio and images, and
 * a cancelled one. It has two transcriptions: one priced by time and one by tokens.
 */

const recordedTranscription = {
  type: 'conversation.item.input_audio_transcription.completed',
  event_id: 'event_CCXGRvtUVrax5SJAnNOWZ',
  item_id: 'item_CCXGQ4e1ht4cOraEYcuR2',
  content_index: 0,
  transcript: 'Hey, can you hear me?',
  usage: {
    type: 'tokens',
    total_tokens: 22,
    input_tokens: 13,
    input_token_details: { text_tokens: 0, audio_tokens: 13 },
    output_tokens: 9,
  },
}

const recordedStart = {
  type: 'response.created',
  event_id: 'event_C9G8pqbTEddBSIxbBN6Os',
  response: {
    object: 'realtime.response',
    id: 'resp_C9G8p7IH2WxLbkgPNouYL',
    status: 'in_progress',
    status_details: null,
    output: [],
    conversation_id: 'conv_C9G8mmBkLhQJwCon3hoJN',
    output_modalities: ['audio'],
    max_output_tokens: 'inf',
    audio: { output: { format: { type: 'audio/pcm', rate: 24000 }, voice: 'marin' } },
    usage: null,
    metadata: null,
  },
}

const recordedResponse = {
  type: 'response.done',
  event_id: 'event_CCXHxcMy86rrKhBLDdqCh',
  response: {
    object: 'realtime.response',
    id: 'resp_CCXHw0UJld10EzIUXQCNh',
    status: 'completed',
    status_details: null,
    output: [
      {
        id: 'item_CCXHwGjjDUfOXbiySlK7i',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [
          {
            type: 'output_audio',
            transcript: 'Loud and clear! I can hear you perfectly. How can I help you today?',
          },
        ],
      },
    ],
    conversation_id: 'conv_CCXHsurMKcaVxIZvaCI5m',
    output_modalities: ['audio'],
    max_output_tokens: 'inf',
    audio: { output: { format: { type: 'audio/pcm', rate: 24000 }, voice: 'alloy' } },
    usage: {
      total_tokens: 253,
      input_tokens: 132,
      output_tokens: 121,
      input_token_details: {
        text_tokens: 119,
        audio_tokens: 13,
        image_tokens: 0,
        cached_tokens: 64,
        cached_tokens_details: { text_tokens: 64, audio_tokens: 0, image_tokens: 0 },
      },
      output_token_details: { text_tokens: 30, audio_tokens: 91 },
    },
    metadata: null,
  },
}

/** The start of a response. No recording contains both the start and the end of one response. */
const startOf = (id: string) => ({
  ...recordedStart,
  event_id: `event_start_of_${id}`,
  response: { ...recordedStart.response, id },
})

/** A hand-made response. */
const response = (id: string, fields: object) => [
  startOf(id),
  {
    ...recordedResponse,
    event_id: `event_end_of_${id}`,
    response: { ...recordedResponse.response, id, ...fields },
  },
]

const calling = {
  ...{ id: 'item_3', object: 'realtime.item', type: 'function_call', status: 'completed' },
  ...{ call_id: 'call_1', name: 'show', arguments: '{}' },
}

export const providerConversation: readonly object[] = [
  {
    ...recordedTranscription,
    ...{ event_id: 'event_by_hand_1', item_id: 'item_1', usage: { type: 'duration', seconds: 3.2 } },
  },
  startOf(recordedResponse.response.id),
  recordedResponse,
  recordedTranscription,
  ...response('resp_2', {
    output: [calling],
    usage: {
      total_tokens: 1330,
      input_tokens: 1200,
      output_tokens: 130,
      input_token_details: {
        text_tokens: 500,
        audio_tokens: 300,
        image_tokens: 400,
        cached_tokens: 768,
        cached_tokens_details: { text_tokens: 256, audio_tokens: 192, image_tokens: 320 },
      },
      output_token_details: { text_tokens: 40, audio_tokens: 90 },
    },
  }),
  ...response('resp_3', {
    status: 'cancelled',
    status_details: { type: 'cancelled', reason: 'turn_detected' },
    output: [],
    usage: {
      total_tokens: 705,
      input_tokens: 700,
      output_tokens: 5,
      input_token_details: {
        text_tokens: 600,
        audio_tokens: 100,
        image_tokens: 0,
        cached_tokens: 0,
        cached_tokens_details: { text_tokens: 0, audio_tokens: 0, image_tokens: 0 },
      },
      output_token_details: { text_tokens: 1, audio_tokens: 4 },
    },
  }),
]

/** The sum of the provider's token counts for the realtime model. */
export const spokenTokens: UsageTokens = {
  textInput: 119 + 500 + 600,
  audioInput: 13 + 300 + 100,
  imageInput: 400,
  cachedTextInput: 64 + 256,
  cachedAudioInput: 192,
  cachedImageInput: 320,
  cacheWriteTextInput: 0,
  textOutput: 30 + 40 + 1,
  audioOutput: 91 + 90 + 4,
}

/**
 * Their cost at 4, 24, 32, 64 and 5 dollars per million tokens. Cached text and audio cost 0.4, cached images
 * 0.5.
 */
export const spokenCost =
  ((1219 - 320) * 4 +
    320 * 0.4 +
    (413 - 192) * 32 +
    192 * 0.4 +
    (400 - 320) * 5 +
    320 * 0.5 +
    71 * 24 +
    185 * 64) /
  1e6

/** 3.2 seconds at 0.27 dollars per hour. Tokens have no price if a model is priced by time. */
export const transcribedCost = (3.2 * 0.27) / 3600
