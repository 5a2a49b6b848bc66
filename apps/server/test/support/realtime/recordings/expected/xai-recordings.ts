import type { ExpectedRecording } from '../expected-recordings.js'

export const xaiRecordings: Readonly<Record<string, ExpectedRecording>> = {
  'test_parity_ws/test_history_seeding_parity[xai-current]': {
    kind: 'xai',
    user: ['What is my name and favorite color?'],
    assistant: ["Your name is Alice and your favorite color is teal. That's what you told me earlier."],
    calls: [],
    tokens: { input: 8, output: 249 },
    audioSeconds: 2,
  },
  'test_parity_ws/test_history_seeding_parity[xai-pinned]': {
    kind: 'xai',
    user: ['What is my name and favorite color?'],
    assistant: [
      "Your name is Alice and your favorite color is teal. That's all the information you've shared with me so far.",
    ],
    calls: [],
    tokens: { input: 8, output: 301 },
    audioSeconds: 3,
  },
  'test_parity_ws/test_text_tool_round_parity[xai-current]': {
    kind: 'xai',
    user: ['What is the weather in London?'],
    assistant: [
      "I'll check the weather for London.",
      'It is foggy and 12 degrees in London. The weather is foggy with a temperature of 12 degrees.',
    ],
    calls: ['get_weather {"city":"London"}'],
    tokens: { input: 7, output: 392 },
    audioSeconds: 5,
  },
  'test_parity_ws/test_text_tool_round_parity[xai-pinned]': {
    kind: 'xai',
    user: ['What is the weather in London?'],
    assistant: ["I'll check the weather for London.", 'It is foggy and 12 degrees in London.'],
    calls: ['get_weather {"city":"London"}'],
    tokens: { input: 7, output: 222 },
    audioSeconds: 4,
  },
  'test_xai_ws/test_audio_in_server_vad_turn': {
    kind: 'xai',
    user: ['Hello, my name is Marcelo.'],
    assistant: ['Hello Marcelo! Nice to meet you. How can I help you today?'],
    calls: [],
    tokens: { input: 156, output: 185 },
    audioSeconds: 5,
  },
  'test_xai_ws/test_message_history_seeding': {
    kind: 'xai',
    user: ['What is my name and favorite color?'],
    assistant: [
      "Your name is Alice and your favorite color is teal. If there's anything else you'd like to share or chat about, I'm all ears!",
    ],
    calls: [],
    tokens: { input: 8, output: 376 },
    audioSeconds: 3,
  },
  'test_xai_ws/test_push_to_talk_replies_only_when_asked': {
    kind: 'xai',
    // The provider has added the typed message first.
    user: ['Greet me by name.', 'Hello, my name is Marcelo.'],
    assistant: ['Hello, Marcelo! Nice to meet you!'],
    calls: [],
    tokens: { input: 202, output: 125 },
    audioSeconds: 8,
  },
  'test_xai_ws/test_reconnect_replays_a_tool_round': {
    kind: 'xai',
    user: [
      'What is the weather in Paris?',
      'How many degrees did the weather tool report? Answer with just the number.',
    ],
    assistant: ["I'll check the weather for you.", 'It is foggy and 12 degrees in Paris.', '12'],
    calls: ['get_weather {"city":"Paris"}'],
    tokens: { input: 22, output: 276 },
    audioSeconds: 5,
  },
  'test_xai_ws/test_session_resumption_after_drop': {
    kind: 'xai',
    user: [
      'Remember exactly: the code word is cobalt. Briefly acknowledge it.',
      'What code word did I ask you to remember?',
    ],
    assistant: ['Got it—code word is cobalt.', 'Cobalt. The code word you asked me to remember is cobalt.'],
    calls: [],
    tokens: { input: 23, output: 311 },
    audioSeconds: 4,
  },
  'test_xai_ws/test_text_in_audio_out_turn': {
    kind: 'xai',
    user: ['Say a short greeting.'],
    assistant: ['Hello there!'],
    calls: [],
    tokens: { input: 5, output: 42 },
    audioSeconds: 1,
  },
  'test_xai_ws/test_thinking_disabled': {
    kind: 'xai',
    user: ['Say a short greeting.'],
    assistant: ['Hello there!'],
    calls: [],
    tokens: { input: 5, output: 42 },
    audioSeconds: 1,
  },
  'test_xai_ws/test_tool_call_round': {
    kind: 'xai',
    user: ['What is the weather in London?'],
    assistant: [
      "I'll check the weather for London right away.",
      'It is foggy and 12 degrees in London. The weather is foggy and 12 degrees.',
    ],
    calls: ['get_weather {"city":"London"}'],
    tokens: { input: 7, output: 382 },
    audioSeconds: 5,
  },
}
