import { type EngineWorkers, startEngineWorkers } from '#engine/workers/engine-workers.js'

/**
 * The speech models of the simulated users. The first test file of a worker loads them, and they end with
 * the worker.
 */
let started: EngineWorkers | undefined

export function personWorkers(): EngineWorkers {
  started ??= startEngineWorkers({ runtime: 'auto', maxWaiting: 100, onProgress: () => undefined })
  return started
}
