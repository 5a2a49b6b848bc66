import { isIPv6 } from 'node:net'
import { z } from 'zod'

interface Address {
  readonly host: string
  readonly port: number
}

/** What every Parley serves to whoever asks. */
const Reference = z.object({ info: z.object({ title: z.literal('Parley API'), version: z.string() }) })

const probeMilliseconds = 1500

/** What the operator reads where the port cannot be had: the setting, who may hold it, and what to do. */
export async function explainListenFailure(error: Error, address: Address): Promise<Error> {
  const { host, port } = address
  const code = 'code' in error ? error.code : null
  const explained = (text: string) => new Error(text, { cause: error })
  if (code === 'EADDRINUSE')
    return explained(
      `port ${port} of ${host} is taken, by ${await describeHolder(address)}.\n` +
        `  Stop that one, or choose another port: PORT=${port < 65_535 ? port + 1 : port - 1} npm start`,
    )
  if (code === 'EACCES')
    return explained(
      `this user may not listen on port ${port}. Choose one above 1023 with PORT, and put a proxy before it.`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return explained(`HOST=${host} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of them.`)
  return error
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
