const dayMilliseconds = 24 * 60 * 60 * 1000

interface Span {
  readonly from: string
  readonly to: string
}

export interface AskedTime {
  readonly from: Date
  readonly to: Date
  readonly now: Date
  /** How long single records are kept. */
  readonly recordDays: number
}

export interface SplitTime {
  /** Whole days, by their names: from this one on, and before that one. */
  readonly days: Span
  readonly parts: readonly Span[]
  /** The time that is summed up; longer than what was asked for where a part of a day can no longer be told. */
  readonly used: Span
}

/**
 * Splits a time into whole days and what is left of days at both ends. Days whose records are gone, or going, count whole;
 * so does today where the time goes on to now, as nothing is there of the rest.
 */
export function splitTime({ from, to, now, recordDays }: AskedTime): SplitTime {
  const kept = now.getTime() - (recordDays - 1) * dayMilliseconds
  const start = from.getTime() < kept ? dayOf(from) : from.getTime()
  const isToNow = to.getTime() >= now.getTime()
  const end = to.getTime() < kept ? dayAfter(to) : to.getTime()
  const used = { from: moment(start), to: moment(end) }
  const firstDay = dayAfter(new Date(start))
  const lastDay = isToNow ? dayAfter(to) : dayOf(new Date(end))
  const name = (milliseconds: number) => moment(milliseconds).slice(0, 'yyyy-mm-dd'.length)
  // Both ends in one day that is not whole.
  if (firstDay > lastDay) return { days: { from: name(firstDay), to: name(firstDay) }, parts: [used], used }
  const span = (begin: number, over: number) =>
    begin < over ? [{ from: moment(begin), to: moment(over) }] : []
  return {
    days: { from: name(firstDay), to: name(lastDay) },
    parts: [...span(start, firstDay), ...(isToNow ? [] : span(lastDay, end))],
    used,
  }
}

const dayOf = (moment: Date) => Math.floor(moment.getTime() / dayMilliseconds) * dayMilliseconds
/** The last day that has a name of ten characters. PostgreSQL refuses the form that `toISOString` gives to later ones. */
const lastNamedDay = Date.parse('9999-12-31T00:00:00.000Z')
const dayAfter = (moment: Date) =>
  Math.min(lastNamedDay, Math.ceil(moment.getTime() / dayMilliseconds) * dayMilliseconds)
const moment = (milliseconds: number) => new Date(milliseconds).toISOString()
