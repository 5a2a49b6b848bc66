import { dirname, join } from 'node:path'
import { recognitionRate } from '../audio/pcm.js'
import type { Model, OnnxRuntime, Tensor } from '../workers/onnx-runtime.js'
import { importOptional, optionalEntry } from '../workers/optional-package.js'

interface Tokenizer {
  decode(tokens: readonly number[], addBos: boolean, addSpace: boolean): string
}

interface ModelSize {
  readonly name: 'tiny' | 'base'
  readonly layers: number
  readonly heads: number
  readonly headWidth: number
}

const tiny: ModelSize = { name: 'tiny', layers: 6, heads: 8, headWidth: 36 }
const base: ModelSize = { name: 'base', layers: 8, heads: 8, headWidth: 52 }

const startToken = 1
const endToken = 2
/** People say fewer words than this; a model that goes on has lost the thread. */
const maxTokensPerSecond = 6.5
/** Longer speech is transcribed in pieces: the model was made for short ones. */
const maxSeconds = 28

/** The larger model where the native runtime makes it quick enough, the small one on WebAssembly. */
export async function loadMoonshine(
  runtime: OnnxRuntime,
): Promise<(samples: Float32Array) => Promise<string>> {
  const size = runtime.isNative ? base : tiny
  const folder = join(dirname(optionalEntry('@usefulsensors/moonshine-js')), 'model', size.name, 'quantized')
  const { default: tokenizer } = await importOptional<{ default: Tokenizer }>('llama-tokenizer-js')
  const encoder = await runtime.open(join(folder, 'encoder_model.onnx'))
  const decoder = await runtime.open(join(folder, 'decoder_model_merged.onnx'))
  const transcribe = async (samples: Float32Array) => {
    const tokens = await recognise(runtime, encoder, decoder, size, samples)
    return tokens.length === 0 ? '' : tidy(tokenizer.decode([startToken, ...tokens], true, true))
  }
  return async (samples) => {
    const texts: string[] = []
    for (const piece of pieces(samples)) texts.push(await transcribe(piece))
    return texts.filter((words) => words !== '').join(' ')
  }
}

/** The small model writes some words as they were written a hundred years ago. */
export function tidy(words: string): string {
  return words.replace(/\b(to)-(day|morrow|night)\b/gi, '$1$2').trim()
}

function pieces(samples: Float32Array): Float32Array[] {
  const length = maxSeconds * recognitionRate
  return Array.from({ length: Math.ceil(samples.length / length) }, (_, index) =>
    samples.subarray(index * length, (index + 1) * length),
  )
}

async function recognise(
  runtime: OnnxRuntime,
  encoder: Model,
  decoder: Model,
  size: ModelSize,
  samples: Float32Array,
): Promise<number[]> {
  const encoded = await encoder.run({ input_values: runtime.tensor('float32', samples, [1, samples.length]) })
  const sound = encoded.last_hidden_state
  if (sound === undefined) throw new Error('The speech model gave nothing.')
  const past = emptyPast(runtime, size)
  const maxTokens = Math.max(4, Math.trunc((samples.length / recognitionRate) * maxTokensPerSecond))
  const tokens: number[] = []
  let token = startToken
  for (let step = 0; step < maxTokens; step += 1) {
    const result = await decoder.run({
      input_ids: runtime.tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: sound,
      use_cache_branch: runtime.tensor('bool', [step > 0], [1]),
      ...past,
    })
    token = indexOfLargest(result.logits?.data ?? new Float32Array(0))
    if (token === endToken) break
    tokens.push(token)
    // What was computed from the sound is the same in every step: it is kept from the first one.
    for (const name of Object.keys(past)) {
      const next = result[name.replace('past_key_values', 'present')]
      if (next !== undefined && (step === 0 || name.includes('.decoder.'))) past[name] = next
    }
  }
  return tokens
}

function emptyPast(runtime: OnnxRuntime, { layers, heads, headWidth }: ModelSize): Record<string, Tensor> {
  const past: Record<string, Tensor> = {}
  for (let layer = 0; layer < layers; layer += 1)
    for (const part of ['decoder', 'encoder'])
      for (const kind of ['key', 'value'])
        past[`past_key_values.${layer}.${part}.${kind}`] = runtime.tensor('float32', new Float32Array(0), [
          0,
          heads,
          1,
          headWidth,
        ])
  return past
}

function indexOfLargest(values: Float32Array): number {
  let largest = 0
  for (let index = 1; index < values.length; index += 1)
    if ((values[index] ?? 0) > (values[largest] ?? 0)) largest = index
  return largest
}
