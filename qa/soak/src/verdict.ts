import { describeTable } from '@parley/stage/terminal/table'
import type { Scenario } from './scenarios.js'
import type { Snapshot } from './snapshot.js'

/** A leak in one kind of session would add hundreds. A few more or less are idle connections. */
const slack = 8
const heapSlackBytes = 3 * 1024 * 1024

type Figure = 'fileDescriptors' | 'handles' | 'timers' | 'sockets'

const figures: Readonly<Record<Figure, string>> = {
  fileDescriptors: 'open files',
  handles: 'handles',
  timers: 'timers',
  sockets: 'sockets',
}

export interface SoakOutcome {
  /** Snapshots of the idle service: after the warm-up, in the middle and at the end. */
  readonly snapshots: readonly Snapshot[]
  readonly sessions: readonly number[]
  /** How often each scenario was played between the first snapshot and the last. */
  readonly played: ReadonlyMap<Scenario, number>
  readonly failures: readonly string[]
  readonly stillRunning: number
  readonly openAtProvider: number
}

export function describeSnapshots({ snapshots, sessions }: SoakOutcome): string {
  const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  const row = (name: string, cell: (snapshot: Snapshot) => string) => [name, ...snapshots.map(cell)]
  return describeTable([
    ['idle, after garbage collection', ...sessions.map((count) => `after ${count}`)],
    row('heap', ({ heapBytes }) => mebibytes(heapBytes)),
    ...Object.entries(figures).map(([figure, name]) =>
      row(name, (snapshot) => String(snapshot[figure as Figure])),
    ),
    row('sessions', ({ activeSessions }) => String(activeSessions)),
    row('resident memory', (snapshot) => mebibytes(snapshot.residentBytes)),
  ])
}

/** Describes all faults. */
export function findFaults(outcome: SoakOutcome): string[] {
  const { snapshots, failures, stillRunning, openAtProvider } = outcome
  const [first, last] = [snapshots[0], snapshots.at(-1)]
  if (!first || !last) return ['nothing was measured']
  const faults: string[] = []
  const grown = last.heapBytes - first.heapBytes
  if (!(grown <= heapSlackBytes)) faults.push(`the heap grew by ${Math.round(grown / 1024)} KiB`)
  for (const [figure, name] of Object.entries(figures) as [Figure, string][])
    if (!(last[figure] <= first[figure] + slack))
      faults.push(`${name}: grew from ${first[figure]} to ${last[figure]}`)
  if (last.activeSessions !== 0) faults.push(`${last.activeSessions} sessions are still counted as active`)
  if (stillRunning !== 0) faults.push(`${stillRunning} sessions still run according to the database`)
  if (openAtProvider !== 0) faults.push(`${openAtProvider} connections to the provider are still open`)
  if (failures.length > 0) faults.push(`${failures.length} sessions ended differently: ${failures[0]}`)
  return [...faults, ...miscounted(outcome.played, first, last)]
}

/** Compares the end reasons that the service counted with those of the scenarios. */
function miscounted(played: SoakOutcome['played'], first: Snapshot, last: Snapshot): string[] {
  const expected = new Map<string, number>()
  let uncertain = 0
  for (const [{ reason }, count] of played) {
    if (reason === null) uncertain += count
    else expected.set(reason, (expected.get(reason) ?? 0) + count)
  }
  return [...new Set([...expected.keys(), ...last.endings.keys()])].flatMap((reason) => {
    const counted = (last.endings.get(reason) ?? 0) - (first.endings.get(reason) ?? 0)
    const min = expected.get(reason) ?? 0
    const max = min + (reason === 'client_lost' ? uncertain : 0)
    return counted >= min && counted <= max
      ? []
      : [`${counted} sessions ended as ${reason} instead of ${min}`]
  })
}
