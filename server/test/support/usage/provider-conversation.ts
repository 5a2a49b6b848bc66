import type { UsageTokens } from '@parley/contract'

/*
 * A conversation by voice as the provider told it: its events with their usages, in the shape of its reference, and what its
 * own figures come to. Two responses, the second with a cache of text, sound and a picture and a call; one that was cut off;
 * what was said, written down once by the time and once by tokens.
 */

const response = (id: string, status: string, usage: object, output: readonly object[] = []) => [
  { type: 'response.created', event_id: `created ${id}`, response: { id, status: 'in_progress' } },
  {
    type: 'response.done',
    event_id: `done ${id}`,
    response: { id, object: 'realtime.response', status, output, usage },
  },
]

const transcribed = (itemId: string, usage: object) => ({
  type: 'conversation.item.input_audio_transcription.completed',
  event_id: `transcribed ${itemId}`,
  item_id: itemId,
  content_index: 0,
  transcript: 'Hello?',
  usage,
})

export const providerConversation: readonly object[] = [
  transcribed('item_1', { type: 'duration', seconds: 3.2 }),
  ...response('resp_1', 'completed', {
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
  }),
  transcribed('item_2', {
    type: 'tokens',
    total_tokens: 22,
    input_tokens: 13,
    input_token_details: { text_tokens: 0, audio_tokens: 13 },
    output_tokens: 9,
  }),
  ...response(
    'resp_2',
    'completed',
    {
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
    [
      {
        id: 'item_3',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_1',
        name: 'show',
        arguments: '{}',
      },
    ],
  ),
  ...response('resp_3', 'cancelled', {
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
  }),
]

/** The provider's figures of the realtime model, added up. */
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

/** What that costs at 4, 24, 32, 64 and 5 dollars a million, 0.4 from the cache, 0.5 for pictures from it. */
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

/** 3.2 seconds at 0.27 dollars an hour; the tokens have no price where a model is paid for by the time. */
export const transcribedCost = (3.2 * 0.27) / 3600
