import { dirname, join } from 'node:path'
import { describeTable } from '@parley/stage/terminal/table'
import { barCells, barColumns } from './report/bars.js'
import { type BenchReport, ReportBook, saveReport } from './report/bench-report.js'
import { isBusy } from './report/machine.js'
import { drawPlots, writePlots } from './report/plots/report-plots.js'
import type { Row } from './report/row.js'

/** A bench whose results go into the report. */
export interface PlannedBench {
  readonly name: string
  readonly seconds: number
  run(): Promise<readonly Row[]>
}

export interface PlanOptions {
  readonly command: string
  /** The file for the report, or null for none. The plots are written next to it. */
  readonly file: string | null
}

export interface PlanResult {
  readonly report: BenchReport
  readonly failed: readonly string[]
}

/**
 * Runs the benches sequentially. Saves the report after each, so that an interrupted run keeps its
 * results.
 */
export async function runPlan(
  benches: readonly PlannedBench[],
  { command, file }: PlanOptions,
): Promise<PlanResult> {
  const book = new ReportBook(command)
  const failed: string[] = []
  describeStart(book.report)
  for (const [index, bench] of benches.entries()) {
    const left = benches.slice(index).reduce((sum, { seconds }) => sum + seconds, 0)
    console.log(
      `\n== ${bench.name} (${index + 1} of ${benches.length}): about ${minutes(bench.seconds)}, ${minutes(left)} left in total, until ${clockIn(left)}`,
    )
    const startedAt = performance.now()
    const outcome = await attempt(bench)
    if (!outcome.ok) {
      failed.push(bench.name)
      console.error(`  ${bench.name} failed: ${outcome.reason}`)
    }
    book.add(outcome.rows)
    console.log(`   ${bench.name} took ${minutes((performance.now() - startedAt) / 1000)}`)
    if (file !== null) await save(file, book.report)
  }
  const { report } = book
  describeEnd(report, file)
  return { report, failed }
}

type Outcome =
  | { readonly ok: true; readonly rows: readonly Row[] }
  | { readonly ok: false; readonly rows: readonly Row[]; readonly reason: string }

async function attempt({ name, run }: PlannedBench): Promise<Outcome> {
  try {
    return { ok: true, rows: await run() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const note = `the bench failed: ${reason.split('\n', 1)[0]}`
    const row = { bench: name, scenario: 'failure', title: 'Not measured', subject: name, figures: [], note }
    return { ok: false, rows: [row], reason }
  }
}

async function save(file: string, report: BenchReport): Promise<void> {
  await saveReport(file, report)
  await writePlots(dirname(file), drawPlots(report))
}

function describeStart({ machine, commit }: BenchReport): void {
  const { processor, cores, memoryGibibytes, system, node, loadBefore } = machine
  console.log(`${cores} cores (${processor}), ${memoryGibibytes} GiB, ${system}, Node ${node}`)
  console.log(`commit ${commit.hash}${commit.isChanged ? ', with changes' : ''}`)
  if (isBusy(machine)) console.log(`The machine is busy (load ${loadBefore}), which affects the figures.`)
}

function describeEnd({ bars, seconds }: BenchReport, file: string | null): void {
  const judged = bars.filter(({ measured }) => measured !== null)
  if (judged.length > 0) console.log(`\n${describeTable([barColumns, ...judged.map(barCells)])}`)
  console.log(`\nThe run took ${minutes(seconds)}.`)
  if (file !== null) console.log(`Figures: ${file}, plots: ${join(dirname(file), '*.svg')}`)
}

const minutes = (seconds: number) =>
  seconds < 90 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`

const clockIn = (seconds: number) => new Date(Date.now() + seconds * 1000).toTimeString().slice(0, 5)
