import { describe, expect, test } from 'vitest'
import { crossInstanceActions } from '../../support/operations/cross-instance-actions.js'
import { useInstancesOnRedis } from '../../support/operations/two-instances-on-redis.js'
import { slow } from '../../support/process/parley-process.js'

const rounds = 3

describe('a change on one of two instances', slow, () => {
  const instances = useInstancesOnRedis()

  async function medianOf(
    act: (typeof crossInstanceActions)[keyof typeof crossInstanceActions],
  ): Promise<number> {
    const milliseconds: number[] = []
    while (milliseconds.length < rounds) {
      milliseconds.push(await act(instances))
      instances.asked.model.verify()
    }
    return milliseconds.sort((one, two) => one - two)[Math.floor(rounds / 2)] ?? Number.NaN
  }

  test.each(Object.entries(crossInstanceActions))(
    'takes effect on the other instance within 50 ms with Redis: %s [SIG-1]',
    async (_, act) => {
      expect(await medianOf(act)).toBeLessThan(50)
    },
  )

  // Only the first instance loses Redis, so every change in this table is made on the second one.
  test.each(['a decision', 'the end of a session', 'the stop of a turn'] as const)(
    'takes effect on the other instance within 1.5 s without Redis: %s [SIG-2] [APR-2] [ASK-7]',
    async (name) => {
      await instances.redis.cut()
      try {
        expect(await medianOf(crossInstanceActions[name])).toBeLessThan(1500)
      } finally {
        await instances.redis.restore()
      }
    },
  )
})
