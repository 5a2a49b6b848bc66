import { type Engine, startEngine } from '#engine/start-engine.js'
import { personWorkers } from './person-workers.js'

let started: Promise<Engine> | undefined

/**
 * Returns an engine without a secret. It uses the speech models of the simulated users, because loading them
 * again takes longer than most tests. All test files of a worker share it, and it ends with the worker.
 */
export function sharedEngine(): Promise<Engine> {
  const { speechToText, textToSpeech } = personWorkers()
  started ??= startEngine({ port: 0, secret: null, speechToText, textToSpeech })
  return started
}
