import { isIPv6 } from 'node:net'

const loopbackOfEveryAddress: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** The address at which this machine reaches a listener. "Every address" is none that a browser can open. */
export function listeningUrl(host: string, port: number): string {
  const reachable = loopbackOfEveryAddress.get(host) ?? host
  return new URL(`http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`).origin
}
