import { findFigure, formatNumber, type Row } from './row.js'

/** A target for one figure, and the measured value. */
export interface Bar {
  readonly name: string
  readonly unit: string
  readonly direction: 'at most' | 'at least'
  /** The target, and the value that is tolerated until it is met. */
  readonly goal: number
  readonly enough: number
  /** Null if it was not measured. */
  readonly measured: number | null
  readonly verdict: 'met' | 'enough' | 'missed' | 'not measured'
}

interface WantedBar {
  readonly name: string
  readonly unit: string
  readonly direction: Bar['direction']
  readonly goal: number
  readonly enough?: number
  readonly find: (rows: readonly Row[]) => number | undefined
}

const parley = 'Parley'
const blind = 'blind relay'
/** A smaller added latency is within the variation of a direct connection, so its ratio has no meaning. */
const leastMilliseconds = 0.05

const relay = (scenario: string, name: string) => (rows: readonly Row[]) =>
  findFigure(rows, { bench: 'relay', scenario, subject: parley, name })?.median
const rest = (scenario: string) => (rows: readonly Row[]) =>
  findFigure(rows, { bench: 'rest', scenario, subject: parley, name: restRatio })?.median

export const restRatio = 'requests per CPU second, x bare Fastify'
export const exponentName = 'exponent'

const atMost = { direction: 'at most', unit: '' } as const
const atLeast = { direction: 'at least', unit: '' } as const

const wantedBars: readonly WantedBar[] = [
  ...['100', '400'].flatMap((scenario): WantedBar[] => [
    {
      ...atMost,
      name: `relay, ${scenario} sessions: CPU per message, x blind relay`,
      goal: 0.85,
      enough: 1.02,
      find: relay(scenario, 'CPU x blind relay'),
    },
    {
      ...atMost,
      name: `relay, ${scenario} sessions: CPU per message, x nginx`,
      goal: 2,
      enough: 3.2,
      find: relay(scenario, 'CPU x nginx'),
    },
  ]),
  {
    ...atMost,
    name: 'relay, 400 sessions: added p99, x blind relay',
    goal: 1.1,
    find: (rows) => findAddedLatency(rows, '400'),
  },
  {
    ...atMost,
    name: 'relay, 400 sessions at half the rate: added p99, x blind relay',
    goal: 1.1,
    find: (rows) => findAddedLatency(rows, '400-half'),
  },
  { ...atMost, name: 'memory of a talking session, x blind relay', goal: 1, find: findTalkingMemory },
  {
    ...atMost,
    name: 'CPU to create and open a session on PostgreSQL',
    unit: 'ms',
    goal: 5,
    find: (rows) =>
      findFigure(rows, {
        bench: 'sessions',
        scenario: 'cost',
        subject: `${parley}, PostgreSQL`,
        name: 'both CPU',
      })?.median,
  },
  { ...atLeast, name: `list agents: ${restRatio}`, goal: 0.75, find: rest('list agents') },
  { ...atLeast, name: `create session: ${restRatio}`, goal: 0.75, find: rest('create session') },
  { ...atMost, name: 'growth: largest exponent', goal: 1.03, find: findLargestExponent },
]

export function judgeBars(rows: readonly Row[]): Bar[] {
  return wantedBars.map(({ find, enough, ...wanted }): Bar => {
    const bar = { ...wanted, enough: enough ?? wanted.goal }
    const measured = find(rows)
    return measured === undefined || !Number.isFinite(measured)
      ? { ...bar, measured: null, verdict: 'not measured' }
      : { ...bar, measured, verdict: judge(bar, measured) }
  })
}

function judge(
  { direction, goal, enough }: Pick<Bar, 'direction' | 'goal' | 'enough'>,
  measured: number,
): Bar['verdict'] {
  const isWithin = (bound: number) => (direction === 'at most' ? measured <= bound : measured >= bound)
  if (isWithin(goal)) return 'met'
  return isWithin(enough) ? 'enough' : 'missed'
}

function findAddedLatency(rows: readonly Row[], scenario: string): number | undefined {
  const added = (subject: string) =>
    findFigure(rows, { bench: 'relay', scenario, subject, name: 'added p99' })?.median
  const [own, base] = [added(parley), added(blind)]
  return own === undefined || base === undefined || base < leastMilliseconds ? undefined : own / base
}

function findTalkingMemory(rows: readonly Row[]): number | undefined {
  const talking = (subject: string) =>
    findFigure(rows, { bench: 'sessions', scenario: 'cost', subject, name: 'talking' })?.median
  const [own, base] = [talking(`${parley}, PostgreSQL`), talking(blind)]
  return own === undefined || base === undefined || base <= 0 ? undefined : own / base
}

function findLargestExponent(rows: readonly Row[]): number | undefined {
  const exponents = rows
    .filter(({ bench }) => bench === 'growth')
    .flatMap(({ figures }) => figures.filter(({ name }) => name === exponentName))
    .map(({ median }) => median)
  return exponents.length === 0 ? undefined : Math.max(...exponents)
}

export const barColumns = ['figure', 'target', 'tolerated', 'measured', 'result'] as const

/** The cells of one line of a table. */
export function barCells({ name, unit, direction, goal, enough, measured, verdict }: Bar): string[] {
  const formatted = (value: number) => `${formatNumber(value)} ${unit}`.trim()
  const bound = (value: number) => `${direction} ${formatted(value)}`
  return [
    name,
    bound(goal),
    enough === goal ? '' : bound(enough),
    measured === null ? '' : formatted(measured),
    verdict,
  ]
}
