import {
  anything,
  array,
  boolean,
  either,
  integer,
  map,
  nullable,
  number,
  object,
  oneOf,
  type Shape,
  tagged,
  text,
} from './shape.js'

/** What a client may say about a session. Unknown names are refused, so that a typing mistake never passes in silence. */

const audioFormat = tagged('type', {
  'audio/pcm': object({ type: text, rate: integer(24_000, 24_000) }),
  'audio/pcmu': object({ type: text }),
  'audio/pcma': object({ type: text }),
})

const turnDetection = tagged('type', {
  server_vad: object({
    type: text,
    threshold: number(0, 1),
    prefix_padding_ms: integer(0, 10_000),
    silence_duration_ms: integer(0, 30_000),
    idle_timeout_ms: nullable(integer(5000, 30_000)),
    create_response: boolean,
    interrupt_response: boolean,
  }),
  semantic_vad: object({
    type: text,
    eagerness: oneOf('low', 'medium', 'high', 'auto'),
    create_response: boolean,
    interrupt_response: boolean,
  }),
})

const transcription = object({
  model: text,
  language: text,
  languages: array(text),
  prompt: text,
  delay: text,
  keywords: array(text),
})

const voice = either(text, object({ id: text }, ['id']))

const outputModalities = array(oneOf('text', 'audio'))

const functionTool = object({ type: text, name: text, description: text, parameters: map }, ['name'])

const toolChoice = either(
  oneOf('auto', 'none', 'required'),
  tagged('type', { function: object({ type: text, name: text }, ['name']) }),
)

const maxOutputTokens = either(oneOf('inf'), integer(1, 4096))

const reasoning = object({ effort: text })

export const sessionShape: Shape = object(
  {
    type: oneOf('realtime'),
    model: text,
    output_modalities: outputModalities,
    instructions: text,
    audio: object({
      input: object({
        format: audioFormat,
        transcription: nullable(transcription),
        noise_reduction: nullable(object({ type: oneOf('near_field', 'far_field'), strength: number() })),
        turn_detection: nullable(turnDetection),
      }),
      output: object({ format: audioFormat, voice, speed: number(0.25, 1.5) }),
    }),
    tools: array(tagged('type', { function: functionTool })),
    tool_choice: toolChoice,
    parallel_tool_calls: boolean,
    reasoning,
    max_output_tokens: maxOutputTokens,
    include: nullable(array(oneOf('item.input_audio_transcription.logprobs'))),
    prompt: nullable(map),
    tracing: nullable(either(oneOf('auto'), map)),
    truncation: either(oneOf('auto', 'disabled'), map),
  },
  ['type'],
)

export const responseShape = (item: Shape): Shape =>
  object({
    output_modalities: outputModalities,
    instructions: text,
    audio: object({ output: object({ format: audioFormat, voice }) }),
    tools: array(tagged('type', { function: functionTool })),
    tool_choice: toolChoice,
    parallel_tool_calls: boolean,
    reasoning,
    max_output_tokens: maxOutputTokens,
    conversation: oneOf('auto', 'none'),
    metadata: nullable(map),
    prompt: anything,
    input: array(item),
  })
