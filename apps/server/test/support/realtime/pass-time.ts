import type { WebSocket } from 'ws'
import type { TestClock } from '../test-clock.js'
import type { TestTimers } from '../test-timers.js'
import type { OpenSession } from './realtime-service.js'

const stepSeconds = 10

/** Lets time pass for a session in steps, so that pings are answered. Stops if the session ends. */
export async function passTime(
  { clock, timers }: { readonly clock?: TestClock; readonly timers: TestTimers },
  seconds: number,
  session: Pick<OpenSession, 'client' | 'provider'>,
): Promise<void> {
  for (let passed = 0; passed < seconds; passed += stepSeconds) {
    const milliseconds = Math.min(stepSeconds, seconds - passed) * 1000
    clock?.advance(milliseconds)
    timers.advance(milliseconds)
    await Promise.race([roundTrip(session), session.client.inbox.closed])
  }
}

/** Resolves when the service has read all earlier frames on both sockets, including pongs. */
export async function roundTrip({
  client,
  provider,
}: Pick<OpenSession, 'client' | 'provider'>): Promise<void> {
  await Promise.all([client.socket, provider.socket].map(ping))
}

function ping(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once('pong', resolve)
    // A failed send does not matter, because the session has ended.
    socket.ping(undefined, undefined, () => undefined)
  })
}
