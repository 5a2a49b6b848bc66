import { type EngineWorkers, startEngineWorkers } from '#engine/workers/engine-workers.js'

/** With what people in tests speak and understand. Loaded by the first test file of a worker; it ends with the worker. */
let started: EngineWorkers | undefined

export function personWorkers(): EngineWorkers {
  started ??= startEngineWorkers({ runtime: 'auto', maxWaiting: 100, onProgress: () => undefined })
  return started
}
