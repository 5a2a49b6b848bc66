import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { closeAfterwards } from '../close-afterwards.js'

/** A proxy in front of a database with faults that a stopped database does not have. */
export interface FaultyDatabase {
  /** The database URL by way of the proxy. */
  readonly url: string
  /**
   * Drops the connection before it returns the next commit of a new row in this table. Settles when that has
   * happened.
   */
  loseCommit(table?: keyof typeof insertions): Promise<void>
  /** Holds all responses on open and new connections until `answer`. */
  hang(): void
  answer(): void
  close(): Promise<void>
}

const [begin, commit, rollback] = ['begin\0', 'commit\0', 'rollback\0']

/**
 * The statements that insert a row into each table. A connection sends the text once and then only the
 * statement's name.
 */
const insertions = { message: 'message_add\0', turn: 'turn_insert\0' } as const

export async function startFaultyDatabase(databaseUrl: string): Promise<FaultyDatabase> {
  const { hostname, port } = new URL(databaseUrl)
  const clients = new Set<Socket>()
  const silent = new WeakSet<Socket>()
  let isHanging = false
  let onLost: (() => void) | null = null
  let insertion = ''

  const server = createServer((client) => {
    const target = connect(Number(port), hostname)
    let isInTransaction = false
    let hasInserted = false
    let isLosing = false
    clients.add(client)
    if (isHanging) silent.add(client)
    client.on('data', (chunk) => {
      if (silent.has(client)) return
      isInTransaction ||= chunk.includes(begin)
      hasInserted ||= onLost !== null && chunk.includes(insertion)
      // A statement outside a transaction commits itself.
      isLosing ||= onLost !== null && hasInserted && (!isInTransaction || chunk.includes(commit))
      if (chunk.includes(commit) || chunk.includes(rollback)) isInTransaction = false
      target.write(chunk)
    })
    target.on('data', (chunk) => {
      if (silent.has(client)) return
      if (!isLosing) return void client.write(chunk)
      client.resetAndDestroy()
      onLost?.()
      onLost = null
    })
    client
      .on('error', () => undefined)
      .on('close', () => {
        clients.delete(client)
        target.destroy()
      })
    target.on('error', () => undefined).on('close', () => !silent.has(client) && client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    loseCommit: (table = 'message') =>
      new Promise((resolve) => {
        insertion = insertions[table]
        onLost = resolve
      }),
    hang() {
      isHanging = true
      for (const client of clients) silent.add(client)
    },
    answer() {
      isHanging = false
    },
    close: closeAfterwards(async () => {
      for (const client of clients) client.destroy()
      server.close()
      await once(server, 'close')
    }),
  }
}
