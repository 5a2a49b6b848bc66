import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { barCells, barColumns } from './bars.js'
import { type BenchReport, saveReport } from './bench-report.js'
import { isBusy } from './machine.js'
import { type PageSection, pageSections } from './page-sections.js'
import { drawNotes, drawPageTable, markdownTable } from './page-tables.js'
import { drawPlots, type Plot, writePlots } from './plots/report-plots.js'
import { findFigure, formatNumber, type Row } from './row.js'

/** The page, and the file with its figures. */
export const pageFile = 'docs/internals/performance.md'
export const figuresFile = 'docs/internals/performance/figures.json'
const folder = 'docs/internals/performance'

/** Writes the page and its plots, and keeps a copy of the report next to them. */
export async function writePerformancePage(report: BenchReport): Promise<void> {
  await saveReport(figuresFile, report)
  await writePlots(folder, drawPlots(report))
  await writeFile(pageFile, renderPerformancePage(report))
}

/** The same report always makes the same page, so a test detects manual changes. */
export function renderPerformancePage(report: BenchReport): string {
  const [first, ...plots] = drawPlots(report)
  return [
    '# Performance',
    `<!-- Written by \`npm run bench docs\` from ${basename(folder)}/figures.json. Change the bench, not this page. -->`,
    'For operators who choose a machine and engineers who change a hot path: the cost of Parley, measured beside simpler servers.',
    markdownTable([overviewHead, ...overview.map((line) => drawOverviewLine(line, report.rows))]),
    ...(first === undefined ? [] : [showPlot(first)]),
    '## How it was measured',
    describeRun(report),
    '## Targets',
    'Measured values are medians. *Enough* is a missed target that is tolerated.',
    markdownTable([barColumns, ...report.bars.map(barCells)].map(withoutTolerated)),
    ...pageSections.flatMap((section) => drawSection(section, plots, report.rows)),
    repeating,
  ]
    .join('\n\n')
    .concat('\n')
}

/** A line of the first table: the cells are figures of Parley, of a simpler server in Node, and of nginx. */
interface OverviewLine {
  readonly name: string
  readonly unit: string
  readonly bench: string
  readonly scenario: string
  readonly figure: string
  readonly subjects: readonly (readonly [subject: string, label: string])[]
}

const overviewHead = ['figure', 'Parley', 'simpler server in Node', 'nginx']
const relays = [
  ['Parley', ''],
  ['blind relay', ' (`ws` relay)'],
  ['nginx', ''],
] as const

const overview: readonly OverviewLine[] = [
  {
    name: 'CPU to relay one message of 100 ms of audio, 100 sessions',
    unit: 'µs',
    bench: 'relay',
    scenario: '100',
    figure: 'CPU',
    subjects: relays,
  },
  {
    name: 'added latency, p99, 400 sessions at half rate',
    unit: 'ms',
    bench: 'relay',
    scenario: '400-half',
    figure: 'added p99',
    subjects: relays,
  },
  {
    name: 'memory of a session that talks',
    unit: 'KiB',
    bench: 'sessions',
    scenario: 'cost',
    figure: 'talking',
    subjects: [['Parley, PostgreSQL', ''], ...relays.slice(1)],
  },
  {
    name: 'CPU to list agents over HTTP',
    unit: 'µs',
    bench: 'rest',
    scenario: 'list agents',
    figure: 'CPU',
    subjects: [
      ['Parley', ''],
      ['bare Fastify', ' (bare Fastify)'],
      ['nginx', ''],
    ],
  },
]

function drawOverviewLine(line: OverviewLine, rows: readonly Row[]): string[] {
  const { name, unit, bench, scenario, figure, subjects } = line
  const cells = subjects.map(([subject, label]) => {
    const found = findFigure(rows, { bench, scenario, subject, name: figure })
    return found === undefined ? '' : `${formatNumber(found.median)} ${unit}${label}`
  })
  return [name, ...cells]
}

const withoutTolerated = ([figure = '', target = '', , measured = '', result = '']: readonly string[]) => [
  figure,
  target,
  measured,
  result,
]

/** Returns nothing if the bench did not run. */
function drawSection(
  { bench, head, about, tables }: PageSection,
  plots: readonly Plot[],
  rows: readonly Row[],
): string[] {
  if (!rows.some((row) => row.bench === bench)) return []
  return [
    `## ${head}`,
    about,
    ...plots.filter((plot) => plot.bench === bench).map(showPlot),
    ...tables.flatMap((table) => drawPageTable(table, bench, rows)),
    ...drawNotes(bench, rows),
  ]
}

function describeRun({ startedAt, seconds, command, commit, machine }: BenchReport): string {
  const { processor, cores, memoryGibibytes, system, node, loadBefore } = machine
  const changed = commit.isChanged ? ', with uncommitted changes' : ''
  const typed = `\`npm run bench${command === '' ? '' : ` -- ${command}`}\``
  return [
    'All servers of a table were measured in turns in one run, after a warm-up. A figure is the median of the rounds; brackets have the minimum',
    `and maximum. Compare only within a table. [figures.json](${basename(folder)}/${basename(figuresFile)}) has every round and more percentiles.`,
    '',
    `- run: ${typed}, ${startedAt.slice(0, 16).replace('T', ' ')} UTC, ${Math.round(seconds / 60)} minutes, commit \`${commit.hash.slice(0, 12)}\`${changed}`,
    `- machine: ${cores} cores (${processor}), ${memoryGibibytes} GiB, load before ${loadBefore}`,
    `- system: ${system}, Node ${node.replace('v', '')}`,
    ...(isBusy(machine) ? ['', busyWarning] : []),
  ].join('\n')
}

const busyWarning =
  '**The machine was busy with other work.** Ratios of processor time are still usable; latencies, rates and memory are not.'

const showPlot = ({ file, title }: Plot) => `![${title}](${join(basename(folder), file)})`

const repeating = `## On your machine

\`npm run bench\` measures everything in about 35 minutes, and \`npm run bench docs\` writes this page from the result. The bench needs Linux and an
otherwise idle machine. [benches.md](benches.md) describes each bench.`
