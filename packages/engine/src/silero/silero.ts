import { readFile } from 'node:fs/promises'
import { optionalFile } from '../runtime/optional-package.js'
import {
  contextSamples,
  type DetectorJob,
  type DetectorResult,
  frameSamples,
} from '../voice-activity/voice-activity.js'
import { readOnnxConstants } from './onnx-constants.js'
import { makeSileroNetwork, type SileroNetwork } from './silero-network.js'

/** The model has a network for 8 kHz and one for 16 kHz. This is the prefix of the latter. */
const branch = 'If_0_then_branch__Inline_0__'

/** Loads the detector. The returned function runs one job and keeps no state between jobs. */
export async function loadSilero(): Promise<(job: DetectorJob) => DetectorResult> {
  const file = optionalFile('@ricky0123/vad-web', 'dist/silero_vad_v6.onnx')
  const constants = readOnnxConstants(await readFile(file))
  const network = makeSileroNetwork((name, count) => {
    const weights = constants.get(`${branch}${name}`)
    if (weights?.length !== count)
      throw new Error(`The voice activity model has unexpected weights: ${name}.`)
    return weights
  })
  return (job) => detect(network, job)
}

function detect(network: SileroNetwork, { samples, memory }: DetectorJob): DetectorResult {
  const window = new Float32Array(contextSamples + frameSamples)
  const probabilities: number[] = []
  let { state, context } = memory
  for (let start = 0; start + frameSamples <= samples.length; start += frameSamples) {
    window.set(context)
    window.set(samples.subarray(start, start + frameSamples), contextSamples)
    const step = network(window, state)
    state = step.state
    context = window.slice(frameSamples)
    probabilities.push(step.probability)
  }
  return { probabilities, memory: { state, context } }
}
