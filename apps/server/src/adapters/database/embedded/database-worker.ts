import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { startHousekeeping } from './housekeeping.js'
import { PgliteSession } from './pglite-session.js'
import { ServedConnection, type SharedSession } from './served-connection.js'
import { SessionLock } from './session-lock.js'
import { Activity } from './stall-watch.js'
import type { DumpReply, FromThread, ThreadSettings, ToThread } from './thread-messages.js'
import { makeGreeting } from './wire-messages.js'

const announcedSettings = `
  select name, setting from pg_settings where name in ('server_version', 'server_encoding', 'client_encoding',
    'DateStyle', 'IntervalStyle', 'TimeZone', 'integer_datetimes', 'standard_conforming_strings')`

if (!parentPort) throw new Error('This file runs as a worker thread.')
const parent = parentPort
const settings: ThreadSettings = workerData

await serve().catch(onBroken)

async function serve(): Promise<void> {
  const session = await PgliteSession.open(settings.directory, new Activity(settings.activity))
  const rows = await session.query<{ name: string; setting: string }>(announcedSettings)
  const shared: SharedSession = {
    session,
    lock: new SessionLock(),
    lockTimeoutMilliseconds: settings.lockTimeoutMilliseconds,
    idleTransactionMilliseconds: settings.idleTransactionMilliseconds,
    greeting: makeGreeting(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))),
    onBroken,
  }
  startHousekeeping(session, shared.lock, settings.housekeepingMilliseconds)
  let lastConnectionNumber = 0
  parent.on('message', (message: ToThread) => {
    if (message.type === 'stop') {
      stop(session).catch(onBroken)
      return
    }
    if (message.type === 'dump') {
      void dump(shared, message.port)
      return
    }
    lastConnectionNumber += 1
    new ServedConnection(message.port, lastConnectionNumber, shared)
  })
  send({ type: 'ready' })
}

/** Behind the transactions that are under way, and before those that come. */
async function dump({ session, lock }: SharedSession, port: MessagePort): Promise<void> {
  const owner = {}
  await lock.acquire(owner)
  try {
    const archive = await session.dump()
    port.postMessage({ ok: true, archive } satisfies DumpReply, [archive])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    port.postMessage({ ok: false, reason } satisfies DumpReply)
  } finally {
    lock.release(owner)
    port.close()
  }
}

/** Nothing else runs from here on: statements are executed without a pause, so none is half done. */
async function stop(session: PgliteSession): Promise<void> {
  await session.reset()
  await session.close()
  process.exit(0)
}

function onBroken(error: unknown): void {
  send({ type: 'broken', reason: error instanceof Error ? error.message : String(error) })
  process.exit(1)
}

function send(message: FromThread): void {
  parent.postMessage(message)
}
