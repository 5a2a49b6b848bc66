import { randomUUID } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { Passwords } from '../../ports/passwords.js'
import type { Timers } from '../../ports/timers.js'
import { FairSlots } from '../fair-slots/fair-slots.js'

/** The first choice of OWASP's cheat sheet: argon2id, 19 MiB, two passes. They stand in the hash, so they may change. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Each takes 19 MiB and one of the few threads that files and host names are read with. */
const slots = { atOnce: 2, maxWaiting: 100, maxWaitingPerOwner: 10, maxWaitMilliseconds: 10_000 } as const

export function makeArgon2Passwords(timers: Timers): Passwords {
  const places = new FairSlots(timers, slots)
  /** A hash that no password has, made once: comparing with it takes as long as with a real one. */
  let hashOfNobody: Promise<string> | undefined

  return {
    hash: (asker, password) => places.run(asker, () => hash(password, cost)),
    verify: (asker, stored, password) =>
      places.run(asker, async () => {
        hashOfNobody ??= hash(randomUUID(), cost)
        const nobodys = await hashOfNobody
        const isRight = await verify(stored ?? nobodys, password)
        return isRight && stored !== null
      }),
  }
}
