import { allCores, canPin, otherCores, pin } from '@parley/stage/processes/pin'
import { untilAtRest } from '@parley/stage/processes/until-at-rest'
import { Lane, type Slice } from '../relay/lane.js'
import { direct } from '../relay/targets/direct.js'
import { parley } from '../relay/targets/parley.js'
import { figure, type Row } from '../report/row.js'
import { describeRows } from '../report/row-tables.js'
import { findMost, type MostFound, type Trial } from './find-most.js'

export interface MostSessionsOptions {
  /** The maximum time for the search. */
  readonly seconds: number
  readonly measureSeconds: number
}

/** Speech in both directions in frames of 100 ms. */
const framesPerSecond = 10
const maxAddedMilliseconds = 5
/** The maximum latency without a relay. Above it, the load itself is saturated. */
const maxDirectMilliseconds = 20
const saturation = 0.97
const firstSessions = 100
const maxSessions = 3200
const settleSeconds = 1
/** V8's compiler shares the core with the service. The warm-up lets it finish, so that it is not measured. */
const warmUp = {
  stream: { framesPerSecond: 100, sessions: firstSessions },
  settleSeconds: 0,
  measureSeconds: 6,
}

/** Finds the maximum number of talking sessions with an added p99 below 5 ms while the service has one core. */
export async function runMostSessions(options: MostSessionsOptions): Promise<Row[]> {
  const isPinned = canPin()
  if (isPinned) pin([process.pid], otherCores())
  try {
    const rows = [await search(options, isPinned)]
    console.log(describeRows(rows))
    return rows
  } finally {
    if (isPinned) pin([process.pid], allCores())
  }
}

interface Held {
  readonly sessions: number
  readonly added: number
  readonly cores: number
}

async function search({ seconds, measureSeconds }: MostSessionsOptions, isPinned: boolean): Promise<Row> {
  const endsAt = performance.now() + seconds * 1000
  const lanes: Lane[] = []
  let open = 0
  let best: Held | undefined
  try {
    for (const target of [direct, parley]) lanes.push(await Lane.open(target, { sessions: 0 }))
    const [base, service] = lanes
    if (!base || !service) throw new Error('A lane is missing.')
    if (isPinned) pin(service.pids, '0')
    const tryOnce = async (sessions: number): Promise<Trial> => {
      if (sessions > open) {
        for (const lane of lanes) await lane.addSessions(sessions - open)
        open = sessions
        await untilAtRest(service.pids)
      }
      const load = { stream: { framesPerSecond, sessions }, settleSeconds, measureSeconds }
      const [way, whole] = [await base.measure(load), await service.measure(load)]
      const added = whole.latencies.percentile(0.99) - way.latencies.percentile(0.99)
      const shown = judge(sessions, way, whole, added)
      console.log(`  ${sessions} sessions: p99 ${added.toFixed(2)} ms added: ${shown}`)
      const cores = (whole.cpuMicrosecondsPerMessage * whole.messagesPerSecond) / 1e6
      if (shown === 'held' && sessions > (best?.sessions ?? 0)) best = { sessions, added, cores }
      return shown
    }
    await tryOnce(firstSessions)
    await service.measure(warmUp)
    // Repeats a failed trial, because another program may have disturbed one measurement.
    const trial = async (sessions: number) => {
      const shown = await tryOnce(sessions)
      return shown === 'held' ? shown : tryOnce(sessions)
    }
    const bounds = { from: firstSessions, to: maxSessions, precision: 0.1 }
    const found = await findMost(trial, { ...bounds, hasTime: () => performance.now() < endsAt })
    return makeRow(found, best, isPinned)
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}

function judge(sessions: number, way: Slice, whole: Slice, added: number): Trial {
  const wanted = 2 * sessions * framesPerSecond * saturation
  if (way.messagesPerSecond < wanted || way.latencies.percentile(0.99) > maxDirectMilliseconds)
    return 'cannot tell'
  return added <= maxAddedMilliseconds && whole.messagesPerSecond >= wanted ? 'held' : 'too much'
}

const endings: Readonly<Record<MostFound['endedBy'], string>> = {
  'too much': '',
  'cannot tell':
    'the load itself, which has the other cores, was saturated first, so this is a lower bound. ',
  'end of the search': 'the time was up before an amount was too much. ',
}

function makeRow({ most, endedBy }: MostFound, best: Held | undefined, isPinned: boolean): Row {
  const core = isPinned
    ? 'The service had a core of its own.'
    : 'Without taskset, or with one core, the service shared all cores with the load.'
  return {
    bench: 'sessions',
    scenario: 'most',
    title: `Most sessions that talk on one core, ${framesPerSecond} frames of 100 ms per second in each direction, with an added p99 below ${maxAddedMilliseconds} ms`,
    subject: 'Parley',
    figures: [
      ...figure('sessions', '', [most]),
      ...figure('added p99', 'ms', best ? [best.added] : []),
      ...figure('cores', '', best ? [best.cores] : []),
    ],
    note: `${endings[endedBy]}${core}`,
  }
}
