import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import type { OutboundFailure } from '#server/ports/outbound.js'

const { isFailure } = makeOutbound({ allowedPrivateHosts: [] })

/** The failure that a call ends in; anything else fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<OutboundFailure> {
  const outcome: unknown = await call.catch((error: unknown) => error)
  if (!isFailure(outcome)) throw new Error('This call did not fail as it should', { cause: outcome })
  return outcome
}
