import { createServer, isIPv6 } from 'node:net'
import { z } from 'zod'

/** A statement that the database did not take; its own message repeats the values, and says nothing of the reason. */
interface FailedStatement extends Error {
  readonly query: string
}

/** What the operator reads where a start has failed: the reason, and of a statement what was asked, without its values. */
export function describeStartFailure(error: Error): string {
  if (!isFailedStatement(error)) return error.message
  return `the database failed: ${firstCause(error).message}\n  It was asked: ${error.query}`
}

function isFailedStatement(error: Error): error is FailedStatement {
  return 'query' in error && typeof error.query === 'string' && error.cause instanceof Error
}

function firstCause(error: Error): Error {
  return error.cause instanceof Error ? firstCause(error.cause) : error
}

interface Address {
  readonly host: string
  readonly port: number
}

/** What every Parley serves to whoever asks. */
const Reference = z.object({ info: z.object({ title: z.literal('Parley API'), version: z.string() }) })

const probeMilliseconds = 1500
const nearbyPorts = 20
const highestPort = 65_535

/** What the operator reads where the port cannot be had: the setting, who may hold it, and what to do. */
export async function explainListenFailure(error: Error, address: Address): Promise<Error> {
  const { host, port } = address
  const code = 'code' in error ? error.code : null
  const explained = (text: string) => new Error(text, { cause: error })
  if (code === 'EADDRINUSE') {
    const [holder, offer] = await Promise.all([describeHolder(address), offerPort(address)])
    return explained(
      `port ${port} of ${host} is taken, by ${holder}.\n  Stop that one, or choose another port${offer}`,
    )
  }
  if (code === 'EACCES')
    return explained(
      `this user may not listen on port ${port}. Choose one above 1023 with PORT, and put a proxy before it.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return explained(`HOST=${host} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of them.`)
  return error
}

/** A port that the operator can take instead, with how to say so. It was free when it was tried: no more can be promised. */
async function offerPort({ host, port }: Address): Promise<string> {
  const free = await findFreePort(host, port)
  return free === null ? ' with PORT.' : `; ${free} was free a moment ago: PORT=${free} npm start`
}

/** The next one that can be had, for it is easily remembered; else one of the system's choice. */
async function findFreePort(host: string, taken: number): Promise<number | null> {
  const last = Math.min(taken + nearbyPorts, highestPort)
  for (let port = taken + 1; port <= last; port += 1) if ((await tryListening({ host, port })).ok) return port
  const chosen = await tryListening({ host, port: 0 })
  return chosen.ok ? chosen.port : null
}

type ListenTrial =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly code: string }

/** Whether the address can be listened on; port 0 is one of the system's choice. */
export function tryListening({ host, port }: Address): Promise<ListenTrial> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ ok: false, code: error.code ?? error.message }),
    )
    // Exclusive: a worker would otherwise share a port that another one has.
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const had = typeof address === 'object' && address !== null ? address.port : port
      server.close(() => resolve({ ok: true, port: had }))
    })
  })
}

async function describeHolder(address: Address): Promise<string> {
  const { host, port } = address
  const version = await findParley(address)
  if (version !== null) return `another Parley (${version}, ${urlOf(host, port)})`
  return process.platform === 'win32'
    ? `another program (netstat -ano | findstr :${port} names it)`
    : `another program (lsof -i :${port} names it)`
}

/** The version of the Parley that answers there; null where something else does, or nothing in time. */
export async function findParley({ host, port }: Address): Promise<string | null> {
  try {
    const response = await fetch(`${urlOf(host, port)}/openapi.json`, {
      signal: AbortSignal.timeout(probeMilliseconds),
    })
    return Reference.parse(await response.json()).info.version
  } catch {
    return null
  }
}

function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}

/** What the operator reads after the first signal: what is waited for, how long, and how not to wait. */
export function describeStop(
  {
    sessions,
    turns,
    waitingTurns,
  }: { readonly sessions: number; readonly turns: number; readonly waitingTurns: number },
  drainSeconds: number,
): string {
  const open = [counted(sessions, 'session'), counted(turns, 'turn')].filter((part) => part !== null)
  const start = `shutting down${leftWaiting(waitingTurns)}`
  if (open.length === 0) return `${start}; a second signal ends it at once`
  return `${start}; waiting up to ${drainSeconds} s for ${open.join(' and ')}; a second signal (Ctrl-C) ends it at once`
}

function leftWaiting(count: number): string {
  if (count === 0) return ''
  const who = count === 1 ? '1 turn that waits' : `${count} turns that wait`
  return `; not waiting for ${who} for approval: it can be given after the next start`
}

function counted(count: number, noun: string): string | null {
  if (count === 0) return null
  return `${count} open ${noun}${count === 1 ? '' : 's'}`
}
