import { inParallel } from '@parley/stage/processes/in-parallel'
import { residentBytes } from '@parley/stage/processes/process-usage'
import { startGreeter } from '@parley/stage/service/greeter'
import type WebSocket from 'ws'
import { closed, openOne, talk } from '../sessions/client-sessions.js'
import { startSubject } from '../sessions/session-subject.js'
import { factors } from './exponent.js'

/** The activity of sessions while their memory is measured. */
export type Doing = 'silent' | 'talking'

/** With fewer sessions, V8's allocation steps are larger than the memory of the sessions. */
const fewest = 200
const atOnce = 4
const speech = { seconds: 2, framesPerSecond: 5 }

export const describeSessions = (doing: Doing) => `memory of ${fewest} ${doing} sessions`

/**
 * Measures the memory of 1, 2, 4 and 8 times as many sessions in a process of their own, in MiB. As many other sessions stay
 * open from the start, so that one-time loading does not count and no freed memory is reused.
 */
export async function measureSessionMemory(doing: Doing): Promise<number[]> {
  const provider = await startGreeter()
  const subject = await startSubject('postgres', provider.url)
  try {
    const sockets: WebSocket[] = []
    const open = async (more: number) =>
      sockets.push(...(await inParallel(more, atOnce, async () => openOne(await subject.create()))))
    await open(fewest)
    const before = await subject.heldBytes()
    const held: number[] = []
    for (const factor of factors) {
      await open(fewest * (factor + 1) - sockets.length)
      let bytes = await subject.heldBytes()
      if (doing === 'talking') {
        await talk(sockets.slice(fewest), [...provider.sockets].slice(fewest), speech)
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
