import { inParallel } from '@parley/stage/processes/in-parallel'
import { cpuMicroseconds, residentBytes } from '@parley/stage/processes/process-usage'
import { compiledAfterSessions } from '@parley/stage/service/compiled-after'
import { type Greeter, startGreeter } from '@parley/stage/service/greeter'
import { Latencies } from '../relay/latencies.js'
import { figure, type Row } from '../report/row.js'
import { describeRows } from '../report/row-tables.js'
import { closed, openOne, talk } from './client-sessions.js'
import { type SessionSubject, type SubjectKind, startSubject, subjectNames } from './session-subject.js'

export interface SessionsBenchOptions {
  readonly subjects: readonly SubjectKind[]
  readonly sessions: number
  /** How long all sessions talk. */
  readonly seconds: number
  /** Each round starts new processes, because processes do not return memory. */
  readonly rounds: number
}

/** The cost of one step, over many repetitions. */
interface StepCost {
  readonly cpuMilliseconds: number
  readonly p50: number
  readonly p99: number
}

interface SessionCosts {
  readonly created: StepCost | null
  readonly opened: StepCost
  readonly idleKibibytes: number
  readonly talkingKibibytes: number
}

const concurrency = 4
const warmUpSessions = 100
/** Per side of each session. */
const framesPerSecond = 5

/**
 * Measures the cost of a session: creating it, opening it, and its memory while idle and while both sides
 * talk.
 */
export async function runSessionsBench(options: SessionsBenchOptions): Promise<Row[]> {
  const { subjects, sessions, rounds } = options
  const costs = new Map(subjects.map((kind) => [kind, [] as SessionCosts[]]))
  for (let round = 1; round <= rounds; round += 1)
    for (const kind of subjects) {
      const cost = await measureOn(kind, options)
      costs.get(kind)?.push(cost)
      const both = (cost.created?.cpuMilliseconds ?? 0) + cost.opened.cpuMilliseconds
      console.log(
        `  round ${round} of ${rounds}, ${subjectNames[kind]}: ${both.toFixed(2)} ms of CPU per session`,
      )
    }
  const title = `${sessions} sessions, ${concurrency} at a time, then all talk with ${framesPerSecond} frames per second in each direction`
  const rows = [...costs].map(([kind, measured]) => makeRow(kind, title, measured))
  console.log(describeRows(rows))
  return rows
}

function makeRow(kind: SubjectKind, title: string, costs: readonly SessionCosts[]): Row {
  const created = costs.flatMap((cost) => cost.created ?? [])
  const opened = costs.map((cost) => cost.opened)
  const both = costs.map((cost) => (cost.created?.cpuMilliseconds ?? 0) + cost.opened.cpuMilliseconds)
  return {
    bench: 'sessions',
    scenario: 'cost',
    title,
    subject: subjectNames[kind],
    figures: [
      ...stepFigures('create', created),
      ...stepFigures('open', opened),
      ...figure('both CPU', 'ms', both),
      ...figure(
        'idle',
        'KiB',
        costs.map(({ idleKibibytes }) => idleKibibytes),
      ),
      ...figure(
        'talking',
        'KiB',
        costs.map(({ talkingKibibytes }) => talkingKibibytes),
      ),
    ],
  }
}

function stepFigures(name: string, costs: readonly StepCost[]) {
  return [
    ...figure(
      `${name} CPU`,
      'ms',
      costs.map(({ cpuMilliseconds }) => cpuMilliseconds),
    ),
    ...figure(
      `${name} p50`,
      'ms',
      costs.map(({ p50 }) => p50),
    ),
    ...figure(
      `${name} p99`,
      'ms',
      costs.map(({ p99 }) => p99),
    ),
  ]
}

async function measureOn(kind: SubjectKind, options: SessionsBenchOptions): Promise<SessionCosts> {
  const provider = await startGreeter()
  const subject = await startSubject(kind, provider.url)
  try {
    return await measure(subject, provider, options)
  } finally {
    await subject.stop()
    provider.close()
  }
}

async function measure(
  subject: SessionSubject,
  provider: Greeter,
  { sessions, seconds }: SessionsBenchOptions,
): Promise<SessionCosts> {
  // Warms up, because the first sessions include compilation.
  for (const socket of await inParallel(warmUpSessions, concurrency, async () =>
    openOne(await subject.create()),
  ))
    await closed(socket)
  const before = await subject.heldBytes()
  const sockets = await inParallel(sessions, concurrency, async () => openOne(await subject.create()))
  const idle = await subject.heldBytes()
  await talk(sockets, provider.sockets, { seconds, framesPerSecond })
  const talking = residentBytes([subject.pid])
  for (const socket of sockets) await closed(socket)
  const kibibytesEach = (bytes: number) => (bytes - before) / sessions / 1024
  return {
    ...(await measureSteps(subject, sessions)),
    idleKibibytes: kibibytesEach(idle),
    talkingKibibytes: kibibytesEach(talking),
  }
}

/**
 * Uses its own sessions after a long warm-up. Measuring memory collects all garbage, which also discards
 * compiled code.
 */
async function measureSteps(
  subject: SessionSubject,
  sessions: number,
): Promise<Pick<SessionCosts, 'created' | 'opened'>> {
  await inParallel(compiledAfterSessions, concurrency, async () =>
    closed(await openOne(await subject.create())),
  )
  const { results: urls, cost: created } = await timed(subject, sessions, () => subject.create())
  const { results: sockets, cost: opened } = await timed(subject, sessions, (index) =>
    openOne(urls[index] ?? ''),
  )
  for (const socket of sockets) await closed(socket)
  return { created: subject.hasTickets ? created : null, opened }
}

async function timed<Result>(
  { pid }: SessionSubject,
  count: number,
  step: (index: number) => Promise<Result>,
): Promise<{ readonly results: Result[]; readonly cost: StepCost }> {
  const latencies = new Latencies()
  const before = cpuMicroseconds([pid])
  const results = await inParallel(count, concurrency, async (index) => {
    const startedAt = performance.now()
    const result = await step(index)
    latencies.add((performance.now() - startedAt) * 1000)
    return result
  })
  const cpuMilliseconds = (cpuMicroseconds([pid]) - before) / count / 1000
  return {
    results,
    cost: { cpuMilliseconds, p50: latencies.percentile(0.5), p99: latencies.percentile(0.99) },
  }
}
