import { inParallel } from '@parley/stage/processes/in-parallel'
import { residentBytes } from '@parley/stage/processes/process-usage'
import { startGreeter } from '@parley/stage/service/greeter'
import type WebSocket from 'ws'
import { closed, openOne, talk } from '../sessions/client-sessions.js'
import { startSubject } from '../sessions/session-subject.js'
import { factors } from './exponent.js'

/** The activity of sessions while their memory is measured. */
export type Activity = 'silent' | 'talking'

/** With fewer sessions, V8's allocation steps are larger than the memory of the sessions. */
const minimum = 200
const concurrency = 4
const speech = { seconds: 2, framesPerSecond: 5 }

export const describeSessions = (activity: Activity) => `memory of ${minimum} ${activity} sessions`

/**
 * Measures the memory of 1, 2, 4 and 8 times as many sessions in a process of their own, in MiB. As many other sessions stay
 * open from the start, so that one-time loading does not count and no freed memory is reused.
 */
export async function measureSessionMemory(activity: Activity): Promise<number[]> {
  const provider = await startGreeter()
  const subject = await startSubject('postgres', provider.url)
  try {
    const sockets: WebSocket[] = []
    const open = async (more: number) =>
      sockets.push(...(await inParallel(more, concurrency, async () => openOne(await subject.create()))))
    await open(minimum)
    const before = await subject.heldBytes()
    const held: number[] = []
    for (const factor of factors) {
      await open(minimum * (factor + 1) - sockets.length)
      let bytes = await subject.heldBytes()
      if (activity === 'talking') {
        await talk(sockets.slice(minimum), [...provider.sockets].slice(minimum), speech)
        bytes = residentBytes([subject.pid])
      }
      held.push((bytes - before) / 2 ** 20)
    }
    for (const socket of sockets) await closed(socket)
    return held
  } finally {
    await subject.stop()
    provider.close()
  }
}
