import { createServer, isIPv6 } from 'node:net'
import { z } from 'zod'

/** A failed database statement. Its own message repeats the values but does not give the reason. */
interface FailedStatement extends Error {
  readonly query: string
}

/** Returns the reason why the start failed. For a failed statement, it includes the query without its values. */
export function describeStartFailure(error: Error): string {
  if (!isFailedStatement(error)) return error.message
  return `a database query failed: ${firstCause(error).message}\n  Query: ${error.query}`
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

/** The part of `/openapi.json` that identifies a Parley service. */
const Reference = z.object({ info: z.object({ title: z.literal('Parley API'), version: z.string() }) })

const probeMilliseconds = 1500
const nearbyPorts = 20
const highestPort = 65_535

/** Explains why the service cannot listen on its address, and what the operator can do about it. */
export async function explainListenFailure(error: Error, address: Address): Promise<Error> {
  const { host, port } = address
  const code = 'code' in error ? error.code : null
  const explained = (text: string) => new Error(text, { cause: error })
  if (code === 'EADDRINUSE') {
    const [holder, offer] = await Promise.all([describeHolder(address), offerPort(address)])
    return explained(
      `port ${port} on ${host} is already in use by ${holder}.\n  Stop it, or choose another port${offer}`,
    )
  }
  if (code === 'EACCES')
    return explained(
      `this user is not allowed to listen on port ${port}. Set PORT to a port above 1023 and put a proxy in front of it.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return explained(
      `HOST=${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`,
    )
  return error
}

/** Returns how to use another port. The port was free when it was tested, but another program may take it. */
async function offerPort({ host, port }: Address): Promise<string> {
  const free = await findFreePort(host, port)
  return free === null ? ' with PORT.' : `, for example ${free}: PORT=${free} npm start`
}

/** Returns the next free port that is easy to remember. If none of these is free, the system chooses one. */
async function findFreePort(host: string, taken: number): Promise<number | null> {
  const last = Math.min(taken + nearbyPorts, highestPort)
  for (let port = taken + 1; port <= last; port += 1) if ((await tryListening({ host, port })).ok) return port
  const chosen = await tryListening({ host, port: 0 })
  return chosen.ok ? chosen.port : null
}

type ListenTrial =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly code: string }

/** Tests whether the service can listen on the address. With port 0, the system chooses a port. */
export function tryListening({ host, port }: Address): Promise<ListenTrial> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ ok: false, code: error.code ?? error.message }),
    )
    // The port is exclusive, because a worker would otherwise share the port with another worker.
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
    ? `another program (find it with netstat -ano | findstr :${port})`
    : `another program (find it with lsof -i :${port})`
}

/** Returns the version of the Parley service at the address, or null if none answers in time. */
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

/**
 * Returns the log line after the first signal: what the service waits for, for how long, and how to skip the
 * wait.
 */
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
  if (open.length === 0) return `${start}; send a second signal to stop immediately`
  return `${start}; waiting up to ${drainSeconds} s for ${open.join(' and ')}; press Ctrl-C again to stop immediately`
}

function leftWaiting(count: number): string {
  if (count === 0) return ''
  const turns = count === 1 ? '1 turn' : `${count} turns`
  return `; not waiting for ${turns} pending approval, which can be approved after the next start`
}

function counted(count: number, noun: string): string | null {
  if (count === 0) return null
  return `${count} open ${noun}${count === 1 ? '' : 's'}`
}
