import { setTimeout as sleep } from 'node:timers/promises'
import { type AttackedDatabase, type AttackedService, startAttackedService } from './attacked-service.js'
import type { CanaryReport } from './canary-process.js'
import { memoryOf, waitForMemory, watchPeak } from './memory-watch.js'

export interface AttackOptions {
  readonly database: AttackedDatabase
  readonly names: readonly string[]
  /** How much of each attack: 1 is all of it. */
  readonly scale: number
  /** By how much memory may have grown when an attack is over, and how long that may take. */
  readonly memoryGrowth: number
  readonly memoryMilliseconds: number
  /** Called with each result as soon as it is there. */
  readonly onResult: (result: AttackResult) => void
}

export interface AttackResult {
  readonly database: AttackedDatabase['kind']
  readonly name: string
  /** What came of the attack, in its own words. */
  readonly outcome: string
  /** What is wrong besides the figures: the service has died, the neighbour was refused, the attack could not be made. */
  readonly faults: readonly string[]
  readonly seconds: number
  readonly canary: CanaryReport
  readonly memory: { readonly before: number; readonly peak: number; readonly after: number }
}

/** How long the canary is listened to after an attack: what it has left behind is felt then. */
const aftermathMilliseconds = 1500

/** Makes the attacks one after the other on one service, as long as it lives. */
export async function runAttacks(options: AttackOptions): Promise<AttackResult[]> {
  const results: AttackResult[] = []
  const attacked = await startAttackedService(options.database, options.names)
  try {
    for (const name of options.names) {
      const result = await runAttack(attacked, name, options)
      results.push(result)
      options.onResult(result)
      if (attacked.service.ending() !== null) break
    }
  } finally {
    await attacked.close()
  }
  return results
}

async function runAttack(
  { service, attackers, canary }: AttackedService,
  name: string,
  { database, scale, memoryGrowth, memoryMilliseconds }: AttackOptions,
): Promise<AttackResult> {
  const before = memoryOf(service.pid)
  const stopWatching = watchPeak(service.pid)
  await canary.ask({ command: 'mark' })
  const startedAt = performance.now()
  const attack = await attackers.ask<string>({ command: 'attack', name, scale }).then(
    (outcome) => ({ outcome, faults: [] }),
    (error: Error) => ({ outcome: '', faults: [error.message] }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  await sleep(aftermathMilliseconds)
  const report = await canary.ask<CanaryReport>({ command: 'report' })
  const after = await waitForMemory(service.pid, before * (1 + memoryGrowth), memoryMilliseconds)
  const ending = service.ending()
  const death = ending === null ? [] : [`the service ${ending}: ${service.output().slice(-500)}`]
  return {
    database: database.kind,
    name,
    outcome: attack.outcome,
    faults: [...attack.faults, ...report.faults, ...death],
    seconds,
    canary: report,
    memory: { before, peak: stopWatching(), after },
  }
}
