import type { SignedIn } from '@parley/sdk'
import { makeClient } from '../data/client'

/** Returns null if no user is signed in. */
export async function readMe(): Promise<SignedIn | null> {
  const client = makeClient()
  const { isSignedIn } = await client.me.getWays()
  return isSignedIn ? await client.me.get() : null
}
