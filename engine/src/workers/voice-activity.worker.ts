import { workerData } from 'node:worker_threads'
import { loadSilero } from '../voice-activity/silero.js'
import { loadOnnxRuntime, type RuntimeChoice } from './onnx-runtime.js'
import { serveJobs } from './serve-jobs.js'

serveJobs(async (progress) => {
  progress('Loading the voice activity detector.')
  const runtime = await loadOnnxRuntime((workerData as { runtime: RuntimeChoice }).runtime)
  const detect = await loadSilero(runtime)
  progress(`The voice activity detector is ready (${runtime.isNative ? 'native' : 'WebAssembly'}).`)
  return detect
})
