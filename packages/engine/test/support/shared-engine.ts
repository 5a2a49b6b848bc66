import { type Engine, startEngine } from '#engine/start-engine.js'
import { personWorkers } from './person-workers.js'

let started: Promise<Engine> | undefined

/**
 * An engine that lets everybody in. It hears and speaks with the models of the people in tests: to load them a second time
 * takes longer than most tests. One for all test files of this worker, started by the first that needs it. It ends with
 * the worker.
 */
export function sharedEngine(): Promise<Engine> {
  const { speechToText, textToSpeech } = personWorkers()
  started ??= startEngine({ port: 0, secret: null, speechToText, textToSpeech })
  return started
}
