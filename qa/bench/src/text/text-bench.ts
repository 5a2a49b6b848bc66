import { Part } from '@parley/stage/processes/part'
import { cpuMicroseconds } from '@parley/stage/processes/process-usage'
import { startParley } from '@parley/stage/service/parley-service'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { Latencies } from '../relay/latencies.js'
import { figure, type Row } from '../report/row.js'
import { describeRows } from '../report/row-tables.js'
import type { ReadStreamsCommand, StreamsReport } from './stream-readers-process.js'
import { makeTextAgent } from './text-agent.js'

export interface TextBenchOptions {
  readonly rounds: number
  readonly readers: number
}

/** The address for questions, and the processes whose processor time counts. */
interface Target {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  readonly pid: number
}

interface Slice {
  readonly cpuMicroseconds: number
  readonly perSecond: number
  readonly firstPieces: Latencies
}

const words = 100
/** Questions per reader. Processor time has a resolution of a hundredth of a second. */
const timesAlone = 20
const secret = 'a secret for the bench that is long enough'
const question = { question: 'What is there to say?' }
const portOf = (part: Part<object>) => part.ask<number>({})

/** Compares streamed answers of the service, which stores every piece, with a proxy that stores nothing. */
export async function runTextBench({ rounds, readers }: TextBenchOptions): Promise<Row[]> {
  const model = new Part<object>(new URL('./wordy-model-process.js', import.meta.url), [`${words}`])
  const origin = `http://127.0.0.1:${await portOf(model)}`
  const blind = new Part<object>(new URL('./blind-stream-process.js', import.meta.url), [
    `${origin}/v1/chat/completions`,
  ])
  const clients = new Part<ReadStreamsCommand>(new URL('./stream-readers-process.js', import.meta.url))
  const postgres = await startPostgres()
  const most = `${readers}`
  const env = { DATABASE_URL: postgres.url, PARLEY_SECRET: secret, LOG_LEVEL: 'warn' }
  const service = await startParley({ env: { ...env, PARLEY_ORG_MAX_RUNNING_TURNS: most }, isBundled: true })
  try {
    const agentId = await makeTextAgent(service.api, origin)
    const { organizationId, apiKey } = service.credentials
    const targets: Target[] = [
      {
        name: 'Parley',
        url: `${service.url}/api/v1/Agent/${agentId}/question`,
        headers: { 'x-org-id': organizationId, 'x-api-key': apiKey },
        body: question,
        pid: service.pid,
      },
      {
        name: 'blind proxy',
        url: `http://127.0.0.1:${await portOf(blind)}/`,
        headers: {},
        body: question,
        pid: blind.pid,
      },
    ]
    const rows: Row[] = []
    for (const count of [1, readers]) {
      const slices = targets.map(() => [] as Slice[])
      // The first round is a warm-up.
      for (let round = 0; round <= rounds; round += 1)
        for (const [index, target] of targets.entries()) {
          const slice = await measure(clients, target, count)
          if (round > 0) slices[index]?.push(slice)
        }
      const made = makeRows(count, targets, slices)
      console.log(describeRows(made))
      rows.push(...made)
    }
    return rows
  } finally {
    await service.stop()
    await Promise.all([clients, blind, model].map((part) => part.stop()))
    await postgres.stop()
  }
}

async function measure(
  clients: Part<ReadStreamsCommand>,
  { pid, url, headers, body }: Target,
  readers: number,
): Promise<Slice> {
  const before = cpuMicroseconds([pid])
  const times = readers === 1 ? timesAlone : 1
  const report = await clients.ask<StreamsReport>({ url, headers, body, readers, times, words })
  const used = cpuMicroseconds([pid]) - before
  const answers = readers * times
  if (report.pieces !== answers * words)
    throw new Error(`${report.pieces} pieces came of ${answers * words} that were sent.`)
  const firstPieces = new Latencies()
  firstPieces.merge(report.firstPieces)
  return { cpuMicroseconds: used / answers, perSecond: report.pieces / report.seconds, firstPieces }
}

function makeRows(readers: number, targets: readonly Target[], slices: readonly (readonly Slice[])[]): Row[] {
  const base = slices.at(-1) ?? []
  const answers = readers === 1 ? 'One answer at a time' : `${readers} answers at once`
  return targets.map(({ name }, index) => {
    const own = slices[index] ?? []
    const first = (share: number) => own.map(({ firstPieces }) => firstPieces.percentile(share))
    return {
      bench: 'text',
      scenario: `${readers}`,
      title: `${answers}, ${words} events each`,
      subject: name,
      figures: [
        ...figure('first event p50', 'ms', first(0.5)),
        ...figure('first event p99', 'ms', first(0.99)),
        ...figure(
          'events',
          'a second',
          own.map(({ perSecond }) => perSecond),
        ),
        ...figure(
          'CPU',
          'ms an answer',
          own.map(({ cpuMicroseconds }) => cpuMicroseconds / 1000),
        ),
        ...figure(
          'CPU x blind proxy',
          '',
          own.map(
            ({ cpuMicroseconds }, round) => cpuMicroseconds / (base[round]?.cpuMicroseconds ?? Number.NaN),
          ),
        ),
      ],
    }
  })
}
