import { randomUUID, timingSafeEqual } from 'node:crypto'
import { hash, type Options } from '@node-rs/argon2'
import { FairQueue } from '../../concurrency/fair-queue.js'
import type { Passwords } from '../../ports/secrets.js'
import type { Timers } from '../../ports/time.js'

/**
 * The first recommendation of OWASP's cheat sheet: argon2id, 19 MiB, two passes. Each hash contains its
 * parameters, so changing them here does not invalidate stored hashes.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Concurrency is limited, because each hash uses 19 MiB and a thread of libuv's pool, which also serves file
 * reads and DNS lookups.
 */
const slots = { atOnce: 2, maxWaiting: 100, maxWaitingPerOwner: 10, maxWaitMilliseconds: 10_000 } as const

export function makeArgon2Passwords(timers: Timers): Passwords {
  const queue = new FairQueue(timers, slots)
  /**
   * A hash that matches no password, created once. Comparing with it takes as long as comparing with a real
   * one.
   */
  let dummyHash: Promise<string> | undefined

  return {
    hash: (asker, password, sibling = null) => {
      const salt = sibling === null ? undefined : parametersOf(sibling)?.salt
      return queue.run(asker, () => hash(password, { ...cost, ...(salt && { salt }) }))
    },
    verify: (asker, stored, password) =>
      queue.run(asker, async () => {
        dummyHash ??= hash(randomUUID(), cost)
        const dummy = await dummyHash
        const bySalt = new Map<string, Options>()
        for (const each of stored.length === 0 ? [dummy] : stored) {
          const { prefix, ...parameters } = parametersOf(each) ?? { prefix: '' }
          bySalt.set(prefix, parameters)
        }
        const computed: string[] = []
        for (const parameters of bySalt.values()) computed.push(await hash(password, parameters))
        return stored.find((each) => computed.some((one) => isSame(one, each))) ?? null
      }),
  }
}

/** Returns the parameters of a stored hash, or null if the hash has another format. */
function parametersOf(stored: string): (Options & { readonly prefix: string; readonly salt: Buffer }) | null {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$/.exec(stored)
  if (found === null) return null
  const [prefix, memory, time, lanes, salt = ''] = found
  return {
    prefix,
    memoryCost: Number(memory),
    timeCost: Number(time),
    parallelism: Number(lanes),
    salt: Buffer.from(salt, 'base64'),
  }
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
