import { workerData } from 'node:worker_threads'
import { recognitionRate, toFloat } from '../audio/pcm.js'
import { loadMoonshine, type RuntimeChoice } from '../speech-to-text/moonshine.js'
import { serveJobs } from './serve-jobs.js'

serveJobs(async (progress) => {
  progress('Loading the speech recognition model.')
  const startedAt = performance.now()
  const { runtime, transcribe } = await loadMoonshine((workerData as { runtime: RuntimeChoice }).runtime)
  // The first call of a model is slow, so warm it up before the first user's sentence.
  await transcribe(new Float32Array(recognitionRate))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  progress(`Speech recognition is ready after ${seconds} s (${runtime}).`)
  return (samples: Int16Array) => transcribe(toFloat(samples))
})
