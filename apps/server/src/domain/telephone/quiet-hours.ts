import type { PhoneConnection } from '@parley/contract'

type QuietHours = NonNullable<PhoneConnection['quietHours']>

export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** Returns whether the moment is within the quiet hours. If both times are equal, the whole day is quiet. */
export function isQuiet({ from, to, timeZone }: QuietHours, moment: Date): boolean {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(moment)
  return from < to ? time >= from && time < to : time >= from || time < to
}
