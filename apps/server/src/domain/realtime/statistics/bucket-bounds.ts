const hour = 60 * 60 * 1000
const day = 24 * hour

export interface BucketRequest {
  readonly from: Date
  readonly to: Date
  readonly by: 'hour' | 'day'
  readonly timeZone: string
}

/**
 * Where buckets begin: at the first moment that is asked for, and at every full hour or midnight of the time zone after it;
 * and the end of the last. Days are not all as long as one another, and not all begin at midnight: it is skipped where
 * clocks are put forward then. The database may know fewer zones, so it is not asked.
 */
export function bucketBounds({ from, to, by, timeZone }: BucketRequest): string[] {
  const offsetAt = offsetsOf(timeZone)
  const next = by === 'hour' ? nextHour : nextDay
  const bounds: number[] = []
  for (let at = from.getTime(); at < to.getTime(); at = next(at, offsetAt)) bounds.push(at)
  return [...bounds, to.getTime()].map((at) => new Date(at).toISOString())
}

/** How far local time is ahead, in milliseconds, at a moment. */
type OffsetAt = (at: number) => number

function nextHour(at: number, offsetAt: OffsetAt): number {
  const local = at + offsetAt(at)
  return at + hour - modulo(local, hour)
}

function nextDay(at: number, offsetAt: OffsetAt): number {
  const local = at + offsetAt(at)
  const midnight = local - modulo(local, day) + day
  const about = midnight - offsetAt(midnight)
  // By the clock of the moment before: of a midnight that is skipped or comes twice, that is where the day begins.
  return midnight - offsetAt(about - 1)
}

/** Asks once a day, and more often on the few days on which clocks are changed: it takes long. */
function offsetsOf(timeZone: string): OffsetAt {
  const measure = measureOffset(timeZone)
  const atMidnight = new Map<number, number>()
  const offsetOn = (date: number) => {
    const offset = atMidnight.get(date) ?? measure(date * day)
    atMidnight.set(date, offset)
    return offset
  }
  return (at) => {
    const date = Math.floor(at / day)
    const offset = offsetOn(date)
    return offset === offsetOn(date + 1) ? offset : measure(at)
  }
}

function measureOffset(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  return (at) => {
    const fields = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const field = (name: Intl.DateTimeFormatPartTypes) => fields.get(name) ?? 0
    const [year, month, date] = [field('year'), field('month') - 1, field('day')]
    const local = Date.UTC(year, month, date, field('hour'), field('minute'), field('second'))
    return local - (at - modulo(at, 1000))
  }
}

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor
