import { isIPv6 } from 'node:net'
import { parseUrl } from '@parley/contract'
import { hostnameOf } from './url-parts.js'

/** The hosts of PARLEY_ALLOWED_PRIVATE_HOSTS, each with one port or with all ports. */
export interface AllowedHosts {
  has(hostname: string, port: number): boolean
}

/** Parses `host`, `host:port`, `[ipv6]:port` or a bare IPv6 address. Reports all errors at once. */
export function parseAllowedHosts(entries: readonly string[]): AllowedHosts {
  const allowed = new Set<string>()
  const errors: string[] = []
  for (const entry of entries) {
    const key = keyOfEntry(entry.trim())
    if (key === null) errors.push(entry)
    else allowed.add(key)
  }
  if (errors.length > 0) {
    throw new Error(
      `PARLEY_ALLOWED_PRIVATE_HOSTS contains invalid entries. Each must be a host or host:port: ${errors.join(', ')}`,
    )
  }
  return { has: (hostname, port) => allowed.has(hostname) || allowed.has(keyOf(hostname, port)) }
}

function keyOfEntry(entry: string): string | null {
  if (isIPv6(entry)) return hostnameOfSpelling(`[${entry}]`)
  const match = /^(?<host>\[[^\]]+\]|[^:/?#@\\\s]+)(?::(?<port>\d{1,5}))?$/.exec(entry)
  const hostname = hostnameOfSpelling(match?.groups?.host ?? '')
  const port = match?.groups?.port
  if (hostname === null || port === undefined) return hostname
  return Number(port) >= 1 && Number(port) <= 65535 ? keyOf(hostname, Number(port)) : null
}

// A host name cannot contain a space, so a name without a port cannot be confused with a name with a port.
function keyOf(hostname: string, port: number): string {
  return `${hostname} ${port}`
}

function hostnameOfSpelling(host: string): string | null {
  const url = parseUrl(`http://${host}/`)
  return url === null ? null : hostnameOf(url)
}
