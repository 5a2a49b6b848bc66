import { lookup, resolveSrv } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Target, Transport } from './transport.js'

const services = { UDP: '_sip._udp', TCP: '_sip._tcp', TLS: '_sips._tcp' } as const
const maxTargets = 8

/** Asks for names. Tests answer in its place. */
export interface NameResolver {
  srv(name: string): Promise<readonly { name: string; port: number; priority: number; weight: number }[]>
  addresses(name: string): Promise<readonly string[]>
}

const dns: NameResolver = {
  srv: resolveSrv,
  addresses: async (name) => (await lookup(name, { family: 4, all: true })).map(({ address }) => address),
}

/**
 * Returns the addresses of a SIP server, the preferred one first: SRV records if no port is given, then A records
 * (RFC 3263). Returns an empty list if the name is unknown.
 */
export async function locateServer(
  host: string,
  port: number | null,
  protocol: Transport['protocol'],
  resolver: NameResolver = dns,
): Promise<readonly Target[]> {
  const usual = protocol === 'TLS' ? 5061 : 5060
  if (isIP(host) !== 0) return [{ address: host, port: port ?? usual }]
  const records = port === null ? await resolver.srv(`${services[protocol]}.${host}`).catch(() => []) : []
  const hosts = [...records]
    .sort((one, other) => one.priority - other.priority || other.weight - one.weight)
    .map(({ name, port }) => ({ name, port }))
  const places = hosts.length > 0 ? hosts.slice(0, maxTargets) : [{ name: host, port: port ?? usual }]
  const found = await Promise.all(
    places.map(async ({ name, port }) => {
      const addresses = await resolver.addresses(name).catch(() => [])
      return addresses.map((address) => ({ address, port }))
    }),
  )
  return found.flat().slice(0, maxTargets)
}
