import type { Outcome } from '@parley/engine'

/** What a worker made; a bench has no use for anything else. */
export function resultOf<Value>(outcome: Outcome<Value>): Value {
  if (outcome.ok) return outcome.value
  throw new Error(`The engine could not do its work: ${JSON.stringify(outcome)}`)
}
