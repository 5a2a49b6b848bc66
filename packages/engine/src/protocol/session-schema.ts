import { z } from 'zod'

/** The session fields that a client may set. Unknown fields are rejected, so a typo is always reported. */

/** The message of a number's bound is its kind. See `errorOfIssue`. */
export const integer = (min: number, max: number) => z.int('integer').min(min, 'integer').max(max, 'integer')
const decimal = (min: number, max: number) => z.number().min(min, 'decimal').max(max, 'decimal')
const anyObject = z.record(z.string(), z.unknown())

const pcmRate = 24_000
const audioFormat = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('audio/pcm'),
    rate: integer(pcmRate, pcmRate)
      .default(pcmRate)
      .transform((): typeof pcmRate => pcmRate),
  }),
  z.strictObject({ type: z.literal('audio/pcmu') }),
  z.strictObject({ type: z.literal('audio/pcma') }),
])

const reaction = {
  create_response: z.boolean().default(true),
  interrupt_response: z.boolean().default(true),
}

export const turnDetection = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('server_vad'),
    threshold: decimal(0, 1).default(0.5),
    prefix_padding_ms: integer(0, 10_000).default(300),
    silence_duration_ms: integer(0, 30_000).default(500),
    idle_timeout_ms: integer(5000, 30_000).nullable().default(null),
    ...reaction,
  }),
  z.strictObject({
    type: z.literal('semantic_vad'),
    eagerness: z.enum(['low', 'medium', 'high', 'auto']).default('auto'),
    ...reaction,
  }),
])

const transcription = z.strictObject({
  model: z.string().exactOptional(),
  language: z.string().exactOptional(),
  languages: z.array(z.string()).exactOptional(),
  prompt: z.string().exactOptional(),
  delay: z.string().exactOptional(),
  keywords: z.array(z.string()).exactOptional(),
})

const noiseReduction = z.strictObject({
  type: z.enum(['near_field', 'far_field']).exactOptional(),
  strength: z.number().exactOptional(),
})

/** A voice is a name, or an object with an id. */
const voice = z.union([z.string(), z.strictObject({ id: z.string() }).transform(({ id }) => id)])

const modality = z.enum(['text', 'audio'])

/** A response is either text or audio. Audio always includes its transcript. */
const outputModalities = z
  .array(modality)
  .superRefine((names, context) => {
    if (names.length === 1) return
    const given = names.map((name) => `'${name}'`).join(', ')
    context.addIssue(`Invalid modalities: [${given}]. Supported combinations are: ['text'] and ['audio'].`)
  })
  .pipe(z.tuple([modality]))

const functionTool = z.strictObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().exactOptional(),
  parameters: anyObject.exactOptional(),
})

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.discriminatedUnion('type', [z.strictObject({ type: z.literal('function'), name: z.string() })]),
])

const maxOutputTokens = z.union([z.literal('inf'), integer(1, 4096)])

/** The fields that sessions and single responses share. */
const common = {
  output_modalities: outputModalities.exactOptional(),
  instructions: z.string().exactOptional(),
  tools: z.array(z.discriminatedUnion('type', [functionTool])).exactOptional(),
  tool_choice: toolChoice.exactOptional(),
  parallel_tool_calls: z.boolean().exactOptional(),
  reasoning: z.strictObject({ effort: z.string().exactOptional() }).exactOptional(),
  max_output_tokens: maxOutputTokens.exactOptional(),
}

export const sessionUpdate = z.strictObject({
  type: z.literal('realtime'),
  model: z.string().exactOptional(),
  ...common,
  audio: z
    .strictObject({
      input: z
        .strictObject({
          format: audioFormat.exactOptional(),
          transcription: transcription.nullable().exactOptional(),
          noise_reduction: noiseReduction.nullable().exactOptional(),
          turn_detection: turnDetection.nullable().exactOptional(),
        })
        .exactOptional(),
      output: z
        .strictObject({
          format: audioFormat.exactOptional(),
          voice: voice.exactOptional(),
          speed: decimal(0.25, 1.5).exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
  include: z
    .array(z.enum(['item.input_audio_transcription.logprobs']))
    .nullable()
    .exactOptional(),
  prompt: anyObject.nullable().exactOptional(),
  tracing: z
    .union([z.literal('auto'), anyObject])
    .nullable()
    .exactOptional(),
  truncation: z.union([z.enum(['auto', 'disabled']), anyObject]).exactOptional(),
})

export function responseParams<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    ...common,
    audio: z
      .strictObject({
        output: z
          .strictObject({ format: audioFormat.exactOptional(), voice: voice.exactOptional() })
          .exactOptional(),
      })
      .exactOptional(),
    conversation: z.enum(['auto', 'none']).exactOptional(),
    metadata: anyObject.nullable().exactOptional(),
    prompt: z.unknown().exactOptional(),
    input: z.array(item).exactOptional(),
  })
}

export type SessionUpdate = z.output<typeof sessionUpdate>
export type TurnDetection = z.output<typeof turnDetection>
export type FunctionTool = z.output<typeof functionTool>
