import cluster, { type Worker } from 'node:cluster'
import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/*
 * Workers get connections in turns, whatever they are for. Whoever creates sessions over one connection and opens them over
 * the next would have all of them on the same worker, for as long as they last. So whoever gets a handshake asks where
 * it belongs: with the worker that has the fewest sockets.
 *
 *   worker ──serves──► primary: from now on it can be given some
 *   worker ──place──► primary ──placed──► the same worker: its own
 *      └──handOver, with the socket──► primary ──take──► another one: reads the request again
 *                                      primary ◄──gone── whoever had it, when the socket has closed
 */
const kind = 'parley:sockets'

type ToPrimary =
  | { readonly kind: typeof kind; readonly type: 'serves' }
  | { readonly kind: typeof kind; readonly type: 'place'; readonly id: number }
  | { readonly kind: typeof kind; readonly type: 'handOver'; readonly to: number; readonly head: string }
  | { readonly kind: typeof kind; readonly type: 'gone'; readonly workerId: number }

type ToWorker =
  | { readonly kind: typeof kind; readonly type: 'placed'; readonly id: number; readonly workerId: number }
  | { readonly kind: typeof kind; readonly type: 'take'; readonly head: string }

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** A primary process that does not say so in time leaves the socket where it is. */
const patienceMilliseconds = 1000

/** In the primary process: says which worker a socket is for. */
export function placeSockets(): void {
  // Of those that serve: one that is still starting would not hear of a socket, and its client would wait for good.
  const counts = new Map<number, number>()
  const add = (workerId: number, change: number) => {
    const count = counts.get(workerId)
    if (count !== undefined) counts.set(workerId, Math.max(0, count + change))
  }
  cluster.on('exit', ({ id }) => void counts.delete(id))
  cluster.on('message', (worker: Worker, message: unknown, handle: unknown) => {
    if (!isOurs<ToPrimary>(message)) return
    switch (message.type) {
      case 'serves':
        return void counts.set(worker.id, 0)
      case 'place': {
        const workerId = leastLoaded(counts, worker.id)
        add(workerId, 1)
        worker.send({ kind, type: 'placed', id: message.id, workerId } satisfies ToWorker)
        return
      }
      case 'handOver': {
        const taker = cluster.workers?.[message.to]
        if (!(handle instanceof Socket)) return
        if (taker?.isConnected() !== true) return void handle.destroy()
        // Until it has closed here, Node keeps it in the books of the worker that it came from, whose server would wait for it.
        taker.send({ kind, type: 'take', head: message.head } satisfies ToWorker, handle, () =>
          handle.destroy(),
        )
        return
      }
      case 'gone':
        add(message.workerId, -1)
    }
  })
}

/** Where it came, as long as nobody has fewer: to hand it over costs more. */
function leastLoaded(counts: ReadonlyMap<number, number>, asking: number): number {
  const countOf = (id: number) => counts.get(id) ?? 0
  return [...counts.keys()]
    .filter((id) => cluster.workers?.[id]?.isConnected() === true)
    .reduce((least, id) => (countOf(id) < countOf(least) ? id : least), asking)
}

/** In a worker: handles the upgrades that belong here, and hands the others over. */
export function shareUpgrades(server: Server, handle: UpgradeHandler): UpgradeHandler {
  const waiting = new Map<number, (workerId: number) => void>()
  const taken = new WeakSet<Duplex>()
  let lastId = 0
  const own = cluster.worker?.id ?? 0
  const tell = (message: ToPrimary, socket?: Socket) => void process.send?.(message, socket)
  const release = (workerId: number) => tell({ kind, type: 'gone', workerId })
  /** From now on it is this worker's, also where nothing comes of it. */
  const keep = (socket: Socket) => void socket.once('close', () => release(own))
  process.on('message', (message: unknown, socket: unknown) => {
    if (!isOurs<ToWorker>(message)) return
    if (message.type === 'placed') {
      const place = waiting.get(message.id) ?? release
      waiting.delete(message.id)
      place(message.workerId)
    } else if (socket instanceof Socket) {
      taken.add(socket)
      keep(socket)
      socket.unshift(Buffer.from(message.head, 'latin1'))
      server.emit('connection', socket)
    }
  })
  server.once('listening', () => tell({ kind, type: 'serves' }))
  return (request, socket, head) => {
    // Of who has sent something already, that would be lost on the way.
    if (taken.has(socket) || !isMovable(request, head) || !(socket instanceof Socket))
      return handle(request, socket, head)
    lastId += 1
    const id = lastId
    const ignore = () => undefined
    socket.on('error', ignore)
    const timer = setTimeout(() => {
      waiting.delete(id)
      socket.off('error', ignore)
      handle(request, socket, head)
    }, patienceMilliseconds)
    waiting.set(id, (workerId) => {
      clearTimeout(timer)
      socket.off('error', ignore)
      if (socket.destroyed) return release(workerId)
      if (workerId !== own)
        return tell({ kind, type: 'handOver', to: workerId, head: textOf(request) }, socket)
      keep(socket)
      handle(request, socket, head)
    })
    tell({ kind, type: 'place', id })
  }
}

const isMovable = ({ headers }: IncomingMessage, head: Buffer) =>
  headers.upgrade?.toLowerCase() === 'websocket' && head.length === 0

/** The request as it came, for whoever reads it again. */
function textOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index] ?? ''}: ${rawHeaders[index + 1] ?? ''}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

function isOurs<Message>(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind
}
