import type { PhoneConnection } from '@parley/contract'

type QuietHours = NonNullable<PhoneConnection['quietHours']>

/** Returns why the phone connection makes no calls at this moment, or null if it does. */
export function quietHoursRefusal(
  { name, quietHours }: Pick<PhoneConnection, 'name' | 'quietHours'>,
  moment: Date,
): string | null {
  if (quietHours === null || !isQuiet(quietHours, moment)) return null
  return `The phone connection ${name} makes no calls between ${quietHours.from} and ${quietHours.to}.`
}

/** Returns whether the moment is within the quiet hours. If both times are equal, the whole day is quiet. */
function isQuiet({ from, to, timeZone }: QuietHours, moment: Date): boolean {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(moment)
  return from < to ? time >= from && time < to : time >= from || time < to
}
