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
  /** The attacks by name, in rounds. The attacks of a round run in parallel. */
  readonly rounds: readonly (readonly string[])[]
  /** The size of each attack: 1 is full. */
  readonly scale: number
  /** Repeats a shorter attack for this time, because with only ten calls the slowest decides the percentiles. */
  readonly leastSeconds: number
  /** The allowed growth of memory after an attack, and the time limit for it to return. */
  readonly memoryGrowth: number
  readonly memoryMilliseconds: number
  /** How long the canary is measured after an attack, to see its after-effects. */
  readonly aftermathMilliseconds: number
  /** Called with each result. */
  readonly onResult: (result: AttackResult) => void
}

export interface AttackResult {
  readonly database: AttackedDatabase['kind']
  /** The attacks of the round. */
  readonly name: string
  /** The attack's own description of its result. */
  readonly outcome: string
  /** Failures beyond the figures: the service died, the canary was rejected, or the attack could not be made. */
  readonly faults: readonly string[]
  readonly seconds: number
  readonly canary: CanaryReport
  readonly memory: {
    readonly before: number
    readonly peak: number
    /** Must not exceed one minute. */
    readonly after: number
    /** The memory after a forced garbage collection. Without it, V8 collects only when it needs room. */
    readonly held: number
  }
}

const soonMilliseconds = 8000

/** Runs the attacks round by round on one service, until it exits. */
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

/** Repeats the attacks for the requested time. Returns the last result and the number of attacks. */
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
    // The service may reject repeated attacks, as it should.
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

/** Waits until memory has returned. If it does not soon, collects garbage and measures again, and once more at the end. */
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
