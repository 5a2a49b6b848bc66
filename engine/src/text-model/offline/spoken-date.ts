const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

const isoDate = /\b(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?/g

/** Dates that are written for machines, as people say them. The clock is left as it was written. */
export function withSpokenDates(text: string): string {
  return text.replace(isoDate, (match, year, month, day, hour, minute, zone) => {
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
    if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return match
    const spoken = `${weekdays[date.getUTCDay()]}, ${months[date.getUTCMonth()]} ${Number(day)}, ${year}`
    if (hour === undefined) return spoken
    return `${spoken} at ${spokenTime(Number(hour), String(minute))}${zone === 'Z' ? ' UTC' : ''}`
  })
}

function spokenTime(hour: number, minute: string): string {
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}
