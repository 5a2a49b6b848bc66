import { expect, test } from 'vitest'
import { toFloat } from '#engine/audio/pcm.js'
import { loadFlite } from '#engine/text-to-speech/flite.js'
import { loadSilero } from '#engine/voice-activity/silero.js'
import { frameSamples, freshMemory } from '#engine/voice-activity/voice-activity.js'

const quietFrames = 10

/** What onnxruntime-web made of the same sound with the same model: its 87 frames, thousandths. */
const expected = [
  [2, 7, 9, 8, 6, 6, 6, 6, 5, 5, 99, 30, 22, 22, 23, 20, 53, 883, 990, 998, 998],
  Array.from({ length: 39 }, () => 1000),
  [998, 998, 931, 248, 54, 24, 12, 14, 15, 14, 14, 14, 13, 13, 13, 12, 12, 11, 11, 10, 10, 9, 9, 9, 8, 8, 7],
].flat()

test('the voice activity detector computes what its model says, in one piece or in several', async () => {
  const speak = await loadFlite()
  const speech = toFloat(speak({ text: 'What is the weather in London?', voice: 'slt', speed: 1 }).samples)
  const samples = new Float32Array(expected.length * frameSamples)
  samples.set(speech, quietFrames * frameSamples)
  const detect = await loadSilero()
  const { probabilities } = detect({ samples, memory: freshMemory() })
  const thousandths = probabilities.map((probability) => Math.round(1000 * probability))
  expect(thousandths).toEqual(expected)

  const middle = 30 * frameSamples
  const first = detect({ samples: samples.subarray(0, middle), memory: freshMemory() })
  const second = detect({ samples: samples.subarray(middle), memory: first.memory })
  expect([...first.probabilities, ...second.probabilities]).toEqual(probabilities)
})
