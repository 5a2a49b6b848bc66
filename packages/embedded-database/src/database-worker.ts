import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { postgresSettings } from './cluster-settings.js'
import { Output } from './output.js'
import { Activity } from './stall-watch.js'
import type { DumpReply, FromThread, ThreadSettings, ToThread } from './thread-messages.js'

/*
 * The one session of PGlite. It serves one connection at a time and passes raw protocol messages: PGlite answers the
 * startup packet and ignores Terminate. A new connection replaces the previous one, and finds no transaction and no
 * prepared statement of it. The reset is done at connect and not at close: two ports have no order between them, so
 * the end of the old one may arrive late.
 */

const sync = message('S', '')
const reset = Buffer.concat([message('Q', 'rollback\0'), message('Q', 'deallocate all\0')])

/**
 * Added to each message of the client. After a COPY FROM STDIN, PGlite would read past the end of its input and crash. In all
 * other cases PostgreSQL ignores the message, as the protocol requires. It precedes the last Sync, because a COPY consumes the
 * Sync that follows it.
 */
const rejectCopy = message('f', 'The embedded database does not support COPY FROM STDIN. Use INSERT.\0')
const terminate = 'X'.charCodeAt(0)
const copyFail = 'f'.charCodeAt(0)

if (!parentPort) throw new Error('This file must be loaded in a worker thread.')
const parent = parentPort
const { directory, activity: memory }: ThreadSettings = workerData
const activity = new Activity(memory)
let lastJob = Promise.resolve()
let current: MessagePort | null = null

inTurn(async () => {
  const database = await open()
  parent.on('message', (received: ToThread) => {
    if (received.type === 'connect') connect(database, received.port)
    else if (received.type === 'dump') inTurn(() => dump(database, received.port))
    else inTurn(() => stop(database))
  })
  send({ type: 'ready' })
})

/** Jobs run sequentially. If one fails, the database cannot continue. */
function inTurn(job: () => Promise<void>): void {
  lastJob = lastJob.then(job).catch((error: unknown) => {
    send({ type: 'broken', reason: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  })
}

async function open(): Promise<PGlite> {
  const complaints: string[] = []
  try {
    return await PGlite.create({
      dataDir: directory,
      postgresqlconf: postgresSettings,
      onStderr(line) {
        if (/FATAL|PANIC/.test(line)) complaints.push(line)
        return false
      },
    })
  } catch (cause) {
    const reason = complaints.join(' ') || (cause instanceof Error ? cause.message : String(cause))
    throw new Error(`The database in ${directory} cannot be opened: ${reason}`, { cause })
  }
}

function connect(database: PGlite, port: MessagePort): void {
  current = port
  inTurn(() => execute(database, reset, new Output(() => undefined)))
  port.on('message', (bytes: Uint8Array) =>
    inTurn(async () => {
      if (port !== current || bytes[0] === terminate || isCopyFail(bytes)) return
      await execute(database, bytes, new Output((block) => port.postMessage(block, [block.buffer])))
    }),
  )
}

/** Throws if the response is incomplete, because PGlite hides the trap if PostgreSQL crashes inside it. */
async function execute(database: PGlite, bytes: Uint8Array, output: Output): Promise<void> {
  await activity.during(() =>
    database.execProtocolRawStream(withoutCopy(bytes), {
      syncToFs: false,
      onRawData: (piece) => output.append(piece),
    }),
  )
  output.flush()
  if (!output.isReady) throw new Error('The embedded database failed during a statement.')
}

function withoutCopy(bytes: Uint8Array): Uint8Array {
  const isStartup = bytes[0] === 0
  if (isStartup) return bytes
  const end = bytes.subarray(-sync.length)
  return sync.equals(end)
    ? Buffer.concat([bytes.subarray(0, -sync.length), rejectCopy, sync])
    : Buffer.concat([bytes, rejectCopy])
}

/** `pg` sends its own CopyFail after the COPY has ended. PostgreSQL ignores it, but PGlite crashes. */
function isCopyFail(bytes: Uint8Array): boolean {
  return bytes[0] === copyFail && bytes.length === 1 + Buffer.from(bytes).readInt32BE(1)
}

/** The caller holds the connection, so that no transaction is open. */
async function dump(database: PGlite, port: MessagePort): Promise<void> {
  try {
    await execute(database, message('Q', 'checkpoint\0'), new Output(() => undefined))
    const file = await activity.during(() => database.dumpDataDir('none'))
    const archive = await file.arrayBuffer()
    port.postMessage({ ok: true, archive } satisfies DumpReply, [archive])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    port.postMessage({ ok: false, reason } satisfies DumpReply)
  } finally {
    port.close()
  }
}

/** Closing makes a checkpoint, so that the next start has nothing to recover. */
async function stop(database: PGlite): Promise<void> {
  await execute(database, reset, new Output(() => undefined))
  await activity.during(() => database.close())
  process.exit(0)
}

function send(message: FromThread): void {
  parent.postMessage(message)
}

function message(type: string, body: string): Buffer {
  const header = Buffer.alloc(5, type, 'latin1')
  header.writeInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([header, Buffer.from(body)])
}
