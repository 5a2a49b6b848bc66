import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import { type DatabaseLocation, type OpenOptions, openDatabase } from './open-database.js'
import { isOutage } from './outage.js'

const pauseMilliseconds = { first: 250, most: 10_000 } as const

export interface AwaitDatabaseOptions extends OpenOptions {
  /** Called if the server is unavailable at the first attempt. */
  readonly onUnavailable: () => Promise<void>
}

/**
 * Opens the database like `openDatabase`. If the server is unavailable, it retries with increasing delays.
 * Throws if the server rejects the connection, for example because of a wrong password, because a retry would
 * not help.
 */
export async function awaitDatabase(
  location: DatabaseLocation,
  log: Log,
  { onUnavailable, ...options }: AwaitDatabaseOptions,
): Promise<Database> {
  let pause: number = pauseMilliseconds.first
  let logged: string | null = null
  for (;;) {
    try {
      const database = await openDatabase(location, log, options)
      if (logged !== null) log.info({}, 'the database is available')
      return database
    } catch (error) {
      if (location.kind === 'embedded' || !(error instanceof Error) || !isOutage(error)) throw error
      if (logged === null) await onUnavailable()
      if (logged !== error.message) log.warn({}, `waiting for the database: ${error.message}`)
      logged = error.message
      await sleep(pause)
      pause = Math.min(pause * 2, pauseMilliseconds.most)
    }
  }
}
