import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Plan } from '../plan/fault.js'
import type { Stage } from '../stage/stage.js'

/** A fault with the times at which it began and ended. */
export interface AppliedFault {
  readonly fault: Fault
  /** Milliseconds of this machine's clock. */
  readonly beganAt: number
  readonly endedAt: number
}

/** Applies each fault of the plan at its time. */
export function carryOut(stage: Stage, plan: Plan, say: (fault: Fault) => void): Promise<AppliedFault[]> {
  return Promise.all(
    plan.faults.map(async (fault) => {
      await sleep(fault.atSeconds * 1000)
      say(fault)
      const beganAt = Date.now()
      await applyFault(stage, fault)
      return { fault, beganAt, endedAt: Date.now() }
    }),
  )
}

/** Applies a fault. Resolves when the fault is over. */
async function applyFault(stage: Stage, fault: Fault): Promise<void> {
  const { postgres, redis, instances, outside } = stage
  const milliseconds = fault.forSeconds * 1000
  switch (fault.kind) {
    case 'kill':
      instances[fault.instance].kill()
      await sleep(milliseconds)
      return
    case 'freeze':
      instances[fault.instance].freeze()
      await sleep(milliseconds)
      instances[fault.instance].thaw()
      return
    case 'clock':
      instances[fault.instance].shiftClock(fault.shiftSeconds)
      await sleep(milliseconds)
      instances[fault.instance].shiftClock(0)
      return
    case 'postgres':
      await postgres.stop(fault.mode)
      await sleep(milliseconds)
      await postgres.start()
      return
    case 'redis':
      await redis.stop(fault.mode)
      await sleep(milliseconds)
      await redis.start()
      return
    case 'disk':
      postgres.fillDisk()
      await sleep(milliseconds)
      await postgres.freeDisk()
      return
    case 'cut':
      return outside.ask({ command: 'cut', share: fault.share })
    case 'delay':
      await outside.ask({ command: 'delay', share: fault.share, seconds: fault.forSeconds })
      await sleep(milliseconds)
      return
    case 'garbage':
      return outside.ask({ command: 'garble', share: fault.share, garbage: fault.garbage })
  }
}
