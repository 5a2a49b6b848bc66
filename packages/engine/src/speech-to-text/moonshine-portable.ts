import { recognitionRate } from '../audio/pcm.js'
import { loadOnnxRuntime, type Model, type OnnxRuntime, type Tensor } from '../runtime/onnx-runtime.js'
import { loadTokenizer, type Moonshine, modelFile } from './moonshine-model.js'

/** The values of the small model. */
const layers = 6
const heads = 8
const headWidth = 36

const startToken = 1
const endToken = 2
/** People say fewer words than this. A model that exceeds it is looping. */
const maxTokensPerSecond = 6.5

/** The small model on WebAssembly. The larger one would be too slow there. */
export async function loadPortableMoonshine(): Promise<Moonshine> {
  const tokenizer = await loadTokenizer()
  const runtime = await loadOnnxRuntime()
  const encoder = await runtime.open(modelFile('tiny', 'encoder_model.onnx'))
  const decoder = await runtime.open(modelFile('tiny', 'decoder_model_merged.onnx'))
  return {
    runtime: 'WebAssembly',
    async transcribe(samples) {
      const tokens = await recognize(runtime, encoder, decoder, samples)
      return tokens.length === 0 ? '' : tokenizer.decode([startToken, ...tokens], true, true)
    },
  }
}

async function recognize(
  runtime: OnnxRuntime,
  encoder: Model,
  decoder: Model,
  samples: Float32Array,
): Promise<number[]> {
  const encoded = await encoder.run({ input_values: runtime.tensor('float32', samples, [1, samples.length]) })
  const sound = encoded.last_hidden_state
  if (sound === undefined) throw new Error('The speech model returned no output.')
  const past = emptyPast(runtime)
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
    // The values computed from the audio are the same in every step, so they are kept from the first one.
    for (const name of Object.keys(past)) {
      const next = result[name.replace('past_key_values', 'present')]
      if (next !== undefined && (step === 0 || name.includes('.decoder.'))) past[name] = next
    }
  }
  return tokens
}

function emptyPast(runtime: OnnxRuntime): Record<string, Tensor> {
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
