import { type Engine, startEngine } from '#engine/start-engine.js'

let started: Promise<Engine> | undefined

/**
 * An engine that lets everybody in, with all it has of its own: loading that takes longer than most tests. One for all
 * test files of this worker, started by the first that needs it. It ends with the worker.
 */
export function sharedEngine(): Promise<Engine> {
  started ??= startEngine({ port: 0, secret: null })
  return started
}
