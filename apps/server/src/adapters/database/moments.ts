import { sql } from 'drizzle-orm'

/** A moment as the database writes it in UTC (`2026-11-16 09:00:00.5+00`), in a tenth of the time that a Date takes. */
export function isoMoment(text: string): string {
  const isUsual = text.length >= 22 && text.length <= 26 && text[10] === ' ' && text.endsWith('+00')
  if (!isUsual) return new Date(text).toISOString()
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`
}

/** The database's time, in microseconds since 1970: one clock for all instances. */
export const databaseMicroseconds = sql<string>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`
