import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { toFloat } from '#engine/audio/pcm.js'
import { loadOnnxRuntime } from '#engine/runtime/onnx-runtime.js'
import { loadSilero } from '#engine/silero/silero.js'
import { loadFlite } from '#engine/text-to-speech/flite.js'
import {
  contextSamples,
  frameSamples,
  freshMemory,
  stateSize,
} from '#engine/voice-activity/voice-activity.js'

const sampleRate = 16_000
const quietFrames = 10

/** Several seconds of speech with silence around it. */
async function speech(): Promise<Float32Array> {
  const speak = await loadFlite()
  const text = 'What is the weather in London? Please tell me before I leave the house.'
  const spoken = toFloat(speak({ text, voice: 'slt', speed: 1 }).samples)
  const frames = Math.ceil(spoken.length / frameSamples) + 3 * quietFrames
  const samples = new Float32Array(frames * frameSamples)
  samples.set(spoken, quietFrames * frameSamples)
  return samples
}

/** Returns the probabilities that onnxruntime-web computes with the same model. */
async function reference(samples: Float32Array): Promise<number[]> {
  const runtime = await loadOnnxRuntime()
  const model = await runtime.open(
    createRequire(import.meta.url).resolve('@ricky0123/vad-web/dist/silero_vad_v6.onnx'),
  )
  const probabilities: number[] = []
  let state = runtime.tensor('float32', new Float32Array(stateSize), [2, 1, stateSize / 2])
  const window = new Float32Array(contextSamples + frameSamples)
  for (let start = 0; start < samples.length; start += frameSamples) {
    window.copyWithin(0, frameSamples)
    window.set(samples.subarray(start, start + frameSamples), contextSamples)
    const result = await model.run({
      input: runtime.tensor('float32', window.slice(), [1, window.length]),
      state,
      sr: runtime.tensor('int64', BigInt64Array.of(BigInt(sampleRate)), []),
    })
    probabilities.push(result.output?.data[0] ?? Number.NaN)
    if (result.stateN !== undefined) state = result.stateN
  }
  return probabilities
}

test('the network computes the probabilities of onnxruntime-web, in one job or in several', async () => {
  const samples = await speech()
  const detect = await loadSilero()
  const { probabilities } = detect({ samples, memory: freshMemory() })
  const expected = await reference(samples)
  expect(probabilities).toHaveLength(expected.length)
  expect(Math.max(...expected)).toBeGreaterThan(0.99)
  for (const [frame, probability] of probabilities.entries())
    expect(probability, `frame ${frame}`).toBeCloseTo(expected[frame] ?? Number.NaN, 4)

  const middle = 30 * frameSamples
  const first = detect({ samples: samples.subarray(0, middle), memory: freshMemory() })
  const second = detect({ samples: samples.subarray(middle), memory: first.memory })
  expect([...first.probabilities, ...second.probabilities]).toEqual(probabilities)
})
