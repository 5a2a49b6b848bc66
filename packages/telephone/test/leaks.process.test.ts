import { expect, test } from 'vitest'
import { PacingClock } from '#telephone/media/pacing-clock.js'
import { openSipLine } from '#telephone/sip-line.js'
import { systemTimers } from '#telephone/time.js'
import { findFreePort } from '../../../apps/server/test/support/services/free-port.js'
import { NotedLeg } from './support/programs/test-line.js'

/** The open sockets and timers of this process. */
const resources = () => process.getActiveResourcesInfo().filter((name) => /UDP|TCP|Timeout/.test(name)).length

test('100 calls, ten at a time, leave no socket and no timer behind', async () => {
  const before = resources()
  const clock = new PacingClock(systemTimers)
  const [one, two] = [await findFreePort(), await findFreePort()]
  const open = (peer: number, port: number) =>
    openSipLine(
      {
        server: { host: '127.0.0.1', transport: 'udp' },
        username: 'parley',
        password: 'secret',
        isRegistered: false,
        bindAddress: '127.0.0.1',
        port,
      },
      {
        timers: systemTimers,
        clock,
        listener: {
          locate: async () => [{ address: '127.0.0.1', port: peer }],
          registration: () => {},
          called: (leg) => {
            leg.accept()
            return new NotedLeg()
          },
        },
      },
    )
  const [caller, called] = [await open(two, one), await open(one, two)]
  for (let round = 0; round < 10; round += 1) {
    const legs = Array.from({ length: 10 }, () => {
      const noted = new NotedLeg()
      noted.leg = caller.dial({ to: 'bob' }, noted)
      return noted
    })
    for (const leg of legs) {
      await leg.until('answered')
      leg.leg?.hangUp()
    }
  }
  await Promise.all([caller.close(), called.close()])
  expect(clock.size).toBe(0)
  await expect.poll(resources).toBeLessThanOrEqual(before)
})
