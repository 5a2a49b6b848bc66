import type { SignedIn } from '@parley/sdk'
import { makeClient } from '../data/client'

/** Null where nobody is signed in, which is no failure. */
export async function readMe(): Promise<SignedIn | null> {
  const client = makeClient()
  const { isSignedIn } = await client.me.getWays()
  return isSignedIn ? await client.me.get() : null
}
