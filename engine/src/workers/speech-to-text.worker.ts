import { workerData } from 'node:worker_threads'
import { recognitionRate, toFloat } from '../audio/pcm.js'
import { loadMoonshine } from '../speech-to-text/moonshine.js'
import { loadOnnxRuntime, type RuntimeChoice } from './onnx-runtime.js'
import { serveJobs } from './serve-jobs.js'

serveJobs(async (progress) => {
  progress('Loading the speech recognition model.')
  const startedAt = performance.now()
  const runtime = await loadOnnxRuntime((workerData as { runtime: RuntimeChoice }).runtime)
  const transcribe = await loadMoonshine(runtime)
  // The first call of a model is slow; nobody's first sentence should pay for that.
  await transcribe(new Float32Array(recognitionRate))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  progress(`Speech recognition is ready after ${seconds} s (${runtime.isNative ? 'native' : 'WebAssembly'}).`)
  return (samples: Int16Array) => transcribe(toFloat(samples))
})
