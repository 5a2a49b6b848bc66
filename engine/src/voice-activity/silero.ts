import type { Model, OnnxRuntime } from '../runtime/onnx-runtime.js'
import { optionalFile } from '../runtime/optional-package.js'
import {
  contextSamples,
  type DetectorJob,
  type DetectorResult,
  frameSamples,
  stateSize,
} from './voice-activity.js'

export async function loadSilero(
  runtime: OnnxRuntime,
): Promise<(job: DetectorJob) => Promise<DetectorResult>> {
  const model = await runtime.open(optionalFile('@ricky0123/vad-web', 'dist/silero_vad_v6.onnx'))
  return (job) => detect(runtime, model, job)
}

async function detect(
  runtime: OnnxRuntime,
  model: Model,
  { samples, memory }: DetectorJob,
): Promise<DetectorResult> {
  const rate = runtime.tensor('int64', BigInt64Array.of(16_000n), [])
  const window = new Float32Array(contextSamples + frameSamples)
  const probabilities: number[] = []
  let { state, context } = memory
  for (let start = 0; start + frameSamples <= samples.length; start += frameSamples) {
    window.set(context)
    window.set(samples.subarray(start, start + frameSamples), contextSamples)
    const result = await model.run({
      input: runtime.tensor('float32', window, [1, window.length]),
      state: runtime.tensor('float32', state, [2, 1, stateSize / 2]),
      sr: rate,
    })
    state = Float32Array.from(result.stateN?.data ?? state)
    context = window.slice(frameSamples)
    probabilities.push(result.output?.data[0] ?? 0)
  }
  return { probabilities, memory: { state, context } }
}
