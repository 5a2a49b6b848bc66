import type { Outcome } from '@parley/engine'

/** Returns the result of a worker. Throws if it failed. */
export function resultOf<Value>(outcome: Outcome<Value>): Value {
  if (outcome.ok) return outcome.value
  throw new Error(`The engine failed: ${JSON.stringify(outcome)}`)
}
