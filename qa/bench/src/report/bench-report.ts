import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Bar, judgeBars } from './bars.js'
import { type Commit, describeMachine, findCommit, type Machine } from './machine.js'
import type { Row } from './row.js'

/** All results of one run. Tables, plots and the page are made from its JSON file. */
export interface BenchReport {
  readonly version: 1
  readonly startedAt: string
  readonly seconds: number
  /** The arguments of `npm run bench`. */
  readonly command: string
  readonly commit: Commit
  readonly machine: Machine
  readonly bars: readonly Bar[]
  readonly rows: readonly Row[]
}

/** The file of the last whole run, unless `--json` names another. */
export const usualReportFile = '.cache/bench/report.json'

/** Collects rows. `report` can be read at any time. */
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
  if (report.version !== 1)
    throw new Error(`${file} was written by another version of the bench. Run the bench again.`)
  return report
}

/** Writes one line per bar and row, so that a diff of two reports is readable. */
function encodeReport({ bars, rows, ...head }: BenchReport): string {
  const encode = (value: unknown) => JSON.stringify(value, roundNumbers)
  const fields = Object.entries(head).map(([key, value]) => `  ${encode(key)}: ${encode(value)}`)
  const list = (key: string, items: readonly unknown[]) =>
    `  "${key}": [\n${items.map((item) => `    ${encode(item)}`).join(',\n')}\n  ]`
  return `{\n${[...fields, list('bars', bars), list('rows', rows)].join(',\n')}\n}\n`
}

/** No figure is accurate to more than five digits. */
const roundNumbers = (_key: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
