import { sql } from 'drizzle-orm'

/** The database's time, in microseconds since 1970: one clock for all instances. */
export const databaseMicroseconds = sql<string>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`
