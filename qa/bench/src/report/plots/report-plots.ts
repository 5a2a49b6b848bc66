import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { factors } from '../../growth/exponent.js'
import { exponentName, restRatio } from '../bars.js'
import type { BenchReport } from '../bench-report.js'
import { findFigure, type Row } from '../row.js'
import { type BarPlot, drawBarPlot } from './bar-plot.js'
import { drawGrowthPlot } from './growth-plot.js'

export interface Plot {
  /** The bench of the figures. */
  readonly bench: string
  readonly file: string
  readonly title: string
  readonly svg: string
}

/** A chart of one bench's rows: a group per scenario, with a bar per subject. */
interface WantedBars extends Omit<BarPlot, 'groups'> {
  readonly bench: string
  readonly file: string
  readonly figure: string
}

const relays = ['Parley', 'blind relay', 'parsing relay', 'TCP pipe', 'nginx']
const servers = ['Parley', 'bare Fastify', 'bare node:http']

const wantedBars: readonly WantedBars[] = [
  {
    bench: 'relay',
    file: 'relay-cpu.svg',
    title: 'Processor time per relayed message, relative to the blind relay',
    figure: 'CPU x blind relay',
    valueLabel: 'times the blind relay (lower is better)',
    groupLabel: 'scenario',
    series: relays,
    mark: 1,
  },
  {
    bench: 'relay',
    file: 'relay-latency.svg',
    title: 'Latency added to a direct connection, p99',
    figure: 'added p99',
    valueLabel: 'milliseconds, logarithmic (lower is better)',
    groupLabel: 'scenario',
    series: relays,
    least: 0.1,
  },
  {
    bench: 'rest',
    file: 'rest.svg',
    title: 'Requests per second of processor time, relative to bare Fastify',
    figure: restRatio,
    valueLabel: 'times bare Fastify (higher is better)',
    groupLabel: 'request',
    series: servers,
    mark: 1,
  },
]

/** The plots that the report has figures for. */
export function drawPlots({ rows }: Pick<BenchReport, 'rows'>): Plot[] {
  return [...wantedBars.flatMap((wanted) => drawBars(wanted, rows)), ...drawGrowth(rows)]
}

export async function writePlots(folder: string, plots: readonly Plot[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { file, svg } of plots) await writeFile(join(folder, file), svg)
}

function drawBars({ bench, file, figure: name, ...plot }: WantedBars, rows: readonly Row[]): Plot[] {
  const scenarios = new Set(rows.filter((row) => row.bench === bench).map(({ scenario }) => scenario))
  const groups = [...scenarios]
    .map((scenario) => ({
      name: scenario,
      figures: plot.series.map((subject) => findFigure(rows, { bench, scenario, subject, name })),
    }))
    .filter(({ figures }) => figures.some((one) => one !== undefined))
  return groups.length === 0
    ? []
    : [{ bench, file, title: plot.title, svg: drawBarPlot({ ...plot, groups }) }]
}

function drawGrowth(rows: readonly Row[]): Plot[] {
  const series = rows
    .filter(({ bench }) => bench === 'growth')
    .flatMap(({ subject, figures }) => {
      const medians = factors.map((factor) => figures.find(({ name }) => name === `${factor}x`)?.median)
      const exponent = figures.find(({ name }) => name === exponentName)?.median
      const [smallest] = medians
      if (exponent === undefined || smallest === undefined) return []
      return [{ name: subject, exponent, costs: medians.map((cost) => (cost ?? Number.NaN) / smallest) }]
    })
  if (series.length === 0) return []
  const title = 'Growth of processor time and memory with the amount of work'
  const svg = drawGrowthPlot({
    title,
    amountLabel: 'amount of work, as a multiple of the smallest',
    costLabel: 'processor time or memory, as a multiple of the smallest',
    amounts: factors,
    series,
  })
  return [{ bench: 'growth', file: 'growth.svg', title, svg }]
}
