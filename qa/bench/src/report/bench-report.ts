import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Bar, judgeBars } from './bars.js'
import { type Commit, describeMachine, findCommit, type Machine } from './machine.js'
import type { Row } from './row.js'

/** Everything that one run has measured: what the JSON file holds, and what tables, plots and the page are made of. */
export interface BenchReport {
  readonly version: 1
  readonly startedAt: string
  readonly seconds: number
  /** As it was typed after `npm run bench`. */
  readonly command: string
  readonly commit: Commit
  readonly machine: Machine
  readonly bars: readonly Bar[]
  readonly rows: readonly Row[]
}

/** Where the last run is kept unless another file is named. */
export const usualReportFile = '.cache/bench/report.json'

/** Collects rows; a report can be made of those that are there at any time. */
export class ReportBook {
  readonly #startedAt = new Date()
  readonly #command: string
  readonly #machine = describeMachine()
  readonly #commit = findCommit()
  readonly #rows: Row[] = []

  constructor(command: string) {
    this.#command = command
  }

  add(rows: readonly Row[]): void {
    this.#rows.push(...rows)
  }

  get report(): BenchReport {
    return {
      version: 1,
      startedAt: this.#startedAt.toISOString(),
      seconds: Math.round((Date.now() - this.#startedAt.getTime()) / 1000),
      command: this.#command,
      commit: this.#commit,
      machine: this.#machine,
      bars: judgeBars(this.#rows),
      rows: this.#rows,
    }
  }
}

export async function saveReport(file: string, report: BenchReport): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, encodeReport(report))
}

export async function readReport(file: string): Promise<BenchReport> {
  const report: BenchReport = JSON.parse(await readFile(file, 'utf8'))
  if (report.version !== 1) throw new Error(`${file} is of another version of the bench: run it again.`)
  return report
}

/** A line for each bar and each row, so that two of them can be compared. */
function encodeReport({ bars, rows, ...head }: BenchReport): string {
  const encode = (value: unknown) => JSON.stringify(value, roundNumbers)
  const fields = Object.entries(head).map(([key, value]) => `  ${encode(key)}: ${encode(value)}`)
  const list = (key: string, items: readonly unknown[]) =>
    `  "${key}": [\n${items.map((item) => `    ${encode(item)}`).join(',\n')}\n  ]`
  return `{\n${[...fields, list('bars', bars), list('rows', rows)].join(',\n')}\n}\n`
}

/** Five digits are more than any figure is good for. */
const roundNumbers = (_key: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
