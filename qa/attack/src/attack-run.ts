import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf, waitForMemory, watchPeak } from '@parley/stage/processes/memory-watch'
import { collectGarbage } from '@parley/stage/service/inspector'
import type { ParleyService } from '@parley/stage/service/parley-service'
import {
  type AttackedDatabase,
  type AttackedService,
  collectionMilliseconds,
  startAttackedService,
} from './attacked-service.js'
import type { CanaryReport } from './canary-process.js'

export interface AttackOptions {
  readonly database: AttackedDatabase
  /** The attacks by their names, one round after the other; those of a round are made together. */
  readonly rounds: readonly (readonly string[])[]
  /** How much of each attack: 1 is all of it. */
  readonly scale: number
  /** A shorter attack is made again and again for so long: of ten calls, the slowest is every tenth. */
  readonly leastSeconds: number
  /** By how much memory may have grown when an attack is over, and how long that may take. */
  readonly memoryGrowth: number
  readonly memoryMilliseconds: number
  /** How long the canary is listened to after an attack: what it has left behind is felt then. */
  readonly aftermathMilliseconds: number
  /** Called with each result as soon as it is there. */
  readonly onResult: (result: AttackResult) => void
}

export interface AttackResult {
  readonly database: AttackedDatabase['kind']
  /** The attacks of the round. */
  readonly name: string
  /** What came of the attack, in its own words. */
  readonly outcome: string
  /** What is wrong besides the figures: the service has died, the neighbour was refused, the attack could not be made. */
  readonly faults: readonly string[]
  readonly seconds: number
  readonly canary: CanaryReport
  readonly memory: {
    readonly before: number
    readonly peak: number
    /** After a minute at most. */
    readonly after: number
    /** What is left of it once garbage is collected, which the collector by itself does when it needs room. */
    readonly held: number
  }
}

const soonMilliseconds = 8000

/** Makes the attacks, round after round, on one service, as long as it lives. */
export async function runAttacks(options: AttackOptions): Promise<AttackResult[]> {
  const results: AttackResult[] = []
  const attacked = await startAttackedService(options.database, options.rounds.flat(), options.scale)
  try {
    for (const names of options.rounds) {
      const result = await runRound(attacked, names, options)
      results.push(result)
      options.onResult(result)
      if (attacked.service.ending() !== null) break
    }
  } finally {
    await attacked.close()
  }
  return results
}

async function runRound(
  { service, attackers, canary }: AttackedService,
  names: readonly string[],
  options: AttackOptions,
): Promise<AttackResult> {
  const { database, memoryGrowth, memoryMilliseconds, aftermathMilliseconds } = options
  const before = memoryOf(service.pid)
  const stopWatching = watchPeak(service.pid)
  await canary.ask({ command: 'mark' })
  const startedAt = performance.now()
  const attack = await attackFor(attackers, names, options).then(
    (outcome) => ({ outcome, faults: [] }),
    (error: Error) => ({ outcome: '', faults: [error.message] }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  await sleep(aftermathMilliseconds)
  const report = await canary.ask<CanaryReport>({ command: 'report' })
  const { after, held } = await waitForRelease(service, before * (1 + memoryGrowth), memoryMilliseconds)
  const ending = service.ending()
  const death = ending === null ? [] : [`the service ${ending}: ${service.output().slice(-500)}`]
  return {
    database: database.kind,
    name: names.join(' + '),
    outcome: attack.outcome,
    faults: [...attack.faults, ...report.faults, ...death],
    seconds,
    canary: report,
    memory: { before, peak: stopWatching(), after, held },
  }
}

/** Makes the attacks, as often as the time asks for; returns what came of the last of them, and how many there were. */
async function attackFor(
  attackers: AttackedService['attackers'],
  names: readonly string[],
  { scale, leastSeconds }: AttackOptions,
): Promise<string> {
  const attack = () => attackers.ask<string>({ command: 'attack', names, scale })
  const endsAt = performance.now() + leastSeconds * 1000
  let outcome = await attack()
  let times = 1
  while (performance.now() < endsAt) {
    // Whoever attacks again and again may be refused, as attackers should be.
    const next = await attack().then(
      (again) => ({ ok: true as const, again }),
      (error: Error) => ({ ok: false as const, reason: error.message }),
    )
    if (!next.ok) return `${outcome}, ${times} times, then: ${next.reason}`
    outcome = next.again
    times += 1
  }
  return times === 1 ? outcome : `${outcome}, ${times} times`
}

/** Waits until memory is back; where it is not soon, what garbage has left of it is looked at, and again in the end. */
async function waitForRelease(service: ParleyService, enough: number, milliseconds: number) {
  const soon = Math.min(soonMilliseconds, milliseconds)
  const after = await waitForMemory(service.pid, enough, soon)
  const held = after > enough ? await heldMemory(service) : after
  if (held <= enough || soon === milliseconds) return { after, held }
  const late = await waitForMemory(service.pid, enough, milliseconds - soon)
  return { after: late, held: late > enough ? await heldMemory(service) : late }
}

async function heldMemory(service: ParleyService): Promise<number> {
  if (service.ending() !== null || service.inspectorUrl === null) return 0
  await collectGarbage(service.inspectorUrl)
  await sleep(collectionMilliseconds)
  return memoryOf(service.pid)
}
