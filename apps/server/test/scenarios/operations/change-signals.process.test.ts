import { describe, test } from 'vitest'
import { crossInstanceActions } from '../../support/operations/cross-instance-actions.js'
import { useInstancesOnRedis } from '../../support/operations/two-instances-on-redis.js'
import { withoutPolling } from '../../support/operations/without-polling.js'
import { slow } from '../../support/process/parley-process.js'

describe('two instances that never poll', slow, () => {
  const instances = useInstancesOnRedis(withoutPolling)

  test.each(Object.entries(crossInstanceActions))(
    'both instances learn of %s through a signal over Redis [SIG-1]',
    async (_, act) => {
      await act(instances)
    },
  )

  test('both instances catch up after an outage of Redis, and receive later changes by signals [SIG-2]', async () => {
    await instances.redis.cut()
    const missed = crossInstanceActions['a decision'](instances)
    await instances.redis.restore()
    await missed
    await crossInstanceActions['the end of a session'](instances)
  })
})

describe('two instances that have lost Redis', slow, () => {
  const instances = useInstancesOnRedis()

  test('both instances learn of decisions and ended sessions by polling [SIG-2]', async () => {
    await instances.redis.cut()
    await crossInstanceActions['a decision'](instances)
    await crossInstanceActions['the end of a session'](instances)
  })
})
