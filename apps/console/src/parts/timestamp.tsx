import { Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** One clock for all times on the page. */
function subscribeClock(listener: () => void): () => void {
  const timer = setInterval(listener, 10_000)
  return () => clearInterval(timer)
}
const readClock = () => Math.floor(Date.now() / 10_000) * 10_000

function formatSince(date: Date, now: number): string {
  const seconds = Math.round((date.getTime() - now) / 1000)
  if (Math.abs(seconds) < 10) return 'just now'
  if (Math.abs(seconds) > 14 * 86_400)
    return date.toLocaleDateString(undefined, { year: 'numeric', month: 'short', day: 'numeric' })
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return relative.format(Math.trunc(seconds / size), unit)
}

/** A relative time, with the exact one in its tooltip. */
export function Timestamp({ at, never = 'never' }: { readonly at: string | null; readonly never?: string }) {
  const now = useSyncExternalStore(subscribeClock, readClock)
  if (at === null)
    return (
      <Text span inherit c="dimmed">
        {never}
      </Text>
    )
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)}>
      {formatSince(date, now)}
    </time>
  )
}
