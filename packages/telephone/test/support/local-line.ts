import type { Leg } from '#telephone/leg.js'
import type { LineOptions } from '#telephone/line-options.js'
import { PacingClock } from '#telephone/media/pacing-clock.js'
import { openSipLine } from '#telephone/sip-line.js'
import { systemTimers } from '#telephone/time.js'
import { closeAfterwards } from '../../../../apps/server/test/support/close-afterwards.js'
import { NotedLeg } from './programs/test-line.js'

/** A line in this thread, whose peer is the given port of this machine. */
export async function openLine(
  peer: number,
  port: number,
  onCall: (leg: Leg) => void = (leg) => leg.accept(),
  options: Partial<LineOptions> = {},
  addresses = ['127.0.0.1'],
) {
  const calls: NotedLeg[] = []
  const line = await openSipLine(
    {
      server: { host: '127.0.0.1', transport: 'udp' },
      username: 'parley',
      password: 'secret',
      isRegistered: false,
      bindAddress: '127.0.0.1',
      port,
      ...options,
    },
    {
      timers: systemTimers,
      clock: new PacingClock(systemTimers),
      listener: {
        locate: async () => addresses.map((address) => ({ address, port: peer })),
        registration: () => {},
        called: (leg) => {
          const noted = new NotedLeg()
          noted.leg = leg
          calls.push(noted)
          onCall(leg)
          return noted
        },
      },
    },
  )
  closeAfterwards(() => line.close())
  return { line, calls }
}
