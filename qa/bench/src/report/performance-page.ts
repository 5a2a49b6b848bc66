import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { barCells, barColumns } from './bars.js'
import { type BenchReport, saveReport } from './bench-report.js'
import { isBusy } from './machine.js'
import { drawPlots, type Plot, writePlots } from './plots/report-plots.js'
import { makeRowTables, type RowTable } from './row-tables.js'

/** The page, the folder of its pictures, and the file in it that everything is made of. */
export const pageFile = 'docs/internals/performance.md'
export const figuresFile = 'docs/internals/performance/figures.json'
const folder = 'docs/internals/performance'

/** Writes the page and its pictures after a report, of which a copy stays beside them. */
export async function writePerformancePage(report: BenchReport): Promise<void> {
  await saveReport(figuresFile, report)
  await writePlots(folder, drawPlots(report))
  await writeFile(pageFile, renderPerformancePage(report))
}

const sections: readonly { readonly bench: string; readonly head: string; readonly about: string }[] = [
  {
    bench: 'relay',
    head: 'The relay',
    about: `Each scenario puts the same load on the service and on its peers: a relay on \`ws\` that forwards blindly, one that parses every frame
and puts it together again, as the relays of well-known samples do, two sockets of Node joined by \`pipe\` (the least that Node's streams can do, without a word of
WebSocket), nginx as it comes, which bars are judged by, nginx with buffers that hold a whole frame, and nothing at all (direct). Latency is what is added to that of the direct connection
in the same round. Clients and provider of the load are on the same two cores as what is measured; they speak WebSocket by themselves, for a third of what a library takes, so that the machine is
not full of them ([experiments](experiments.md#what-the-load-costs)). A scenario that is more than some can carry is kept: below its table stands how much of the load came through, their latencies are those of queues, and a message out of a queue costs less than one that comes alone. Nothing is measured until all are at rest after their sessions were opened, which only the service has work from, and every slice comes after a second and a half of the same load, since whoever waits for its turn grows cold. Processor time is that of the whole process; the service's includes its embedded database. With TLS on both sides the provider speaks TLS to all of
them, and clients' TLS ends at the same small proxy before each, which counts for none.`,
  },
  {
    bench: 'sessions',
    head: 'Sessions',
    about: `What a session takes: created over HTTP, opened until the provider's greeting has come, kept open, and while both sides talk. Memory is by
how much that of the process has grown for each. Each round has new processes.`,
  },
  {
    bench: 'rest',
    head: 'The REST API',
    about: `The same requests to the service and to bare servers that have the same PostgreSQL do the same statements, and answer the same. They check
no key, scope, limit or schema, and write no log.`,
  },
  {
    bench: 'text',
    head: 'Streamed answers',
    about: `A model that talks as fast as it is read. The service stores every piece before it is told; the blind proxy stores nothing, so that nobody
can take up a stream that broke.`,
  },
  {
    bench: 'engine',
    head: 'The built-in engine',
    about:
      'From the last audible sample of a question to the first of its answer, in conversations at the speed of speech.',
  },
  {
    bench: 'growth',
    head: 'Growth',
    about:
      'The exponent says what the points do not: at 1 twice the work takes twice the time or memory, at 2 four times. Memory counts from where as many sessions are open already; that of silent ones is what is left after a garbage collection, that of talking ones is all that the process has.',
  },
]

/** The same report is always the same page, so a test can tell whether somebody has typed into it. */
export function renderPerformancePage(report: BenchReport): string {
  const plots = drawPlots(report)
  const tables = makeRowTables(report.rows)
  return [
    '# Performance',
    `<!-- Written by \`npm run bench docs\` after ${basename(folder)}/figures.json: change the bench, not this page. -->`,
    describeRun(report),
    '## The bars',
    `Judged by the medians. *Enough* misses what is wanted: it is the bar of a service that has no relay of its own for frames, and this one has.`,
    markdownTable([barColumns, ...report.bars.map(barCells)]),
    ...sections.flatMap(({ bench, head, about }) => {
      const own = tables.filter((table) => table.bench === bench)
      const pictures = plots.filter((plot) => plot.bench === bench)
      return own.length === 0
        ? []
        : [`## ${head}`, about, ...pictures.map(showPlot), ...own.flatMap(showTable)]
    }),
    repeating,
  ]
    .join('\n\n')
    .concat('\n')
}

function describeRun({ startedAt, seconds, command, commit, machine }: BenchReport): string {
  const { processor, cores, memoryGibibytes, system, node, loadBefore } = machine
  const changed = commit.isChanged ? ', with changes that are not committed' : ''
  return [
    'What the service costs beside others that do less. Every row of a table was measured side by side in one run, warm, in turns: a figure is the median of its rounds,',
    'with the least and the most of them in brackets. Compare within a table: the figures of two runs differ by what else the machine did.',
    '',
    markdownTable([
      ['', ''],
      ['measured', `${startedAt.slice(0, 16).replace('T', ' ')} UTC, in ${Math.round(seconds / 60)} minutes`],
      ['commit', `\`${commit.hash.slice(0, 12)}\`${changed}`],
      ['command', `\`npm run bench${command === '' ? '' : ` -- ${command}`}\``],
      ['machine', `${cores} cores (${processor}), ${memoryGibibytes} GiB`],
      ['system', `${system}, Node ${node.replace('v', '')}`],
      ['load before', `${loadBefore}`],
    ]),
    ...(isBusy(machine) ? ['', busyWarning] : []),
  ].join('\n')
}

const busyWarning =
  '**The machine was busy with other work.** Ratios of processor time can be read with care; latencies, rates and memory tell of that work.'

const showPlot = ({ file, title }: Plot) => `![${title}](${join(basename(folder), file)})`

function showTable({ title, lines, notes }: RowTable): string[] {
  const shown = lines.length > 1 ? [markdownTable(lines)] : []
  const listed = notes.map((note) => `- ${note}${/[.!?]$/.test(note) ? '' : '.'}`)
  return [`${title}:`, ...shown, ...(listed.length > 0 ? [listed.join('\n')] : [])]
}

function markdownTable(lines: readonly (readonly string[])[]): string {
  const [head = [], ...body] = lines
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [row(head), `|${head.map(() => '---').join('|')}|`, ...body.map(row)].join('\n')
}

const repeating = `## On your machine

\`\`\`sh
npm ci
npm run bench                  # everything, about 35 minutes; -- --quick takes six, without the engine
npm run bench relay            # one bench; -- --scenario 100,tls some of its loads
npm run bench docs             # writes this page after the last whole run
\`\`\`

It needs Linux, whose \`/proc\` tells the processor time of processes. PostgreSQL and nginx are found or fetched as for the tests; where one cannot be had, its rows say so. Let
nothing else run meanwhile. The run leaves \`.cache/bench/report.json\` and its plots; \`--json FILE\` puts them elsewhere. Ctrl-C ends it and everything it has started.

[benches.md](benches.md) tells what each bench does.`
