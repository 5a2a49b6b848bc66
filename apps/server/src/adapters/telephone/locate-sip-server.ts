import { resolveSrv } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { PhoneConnection } from '@parley/contract'
import type { NetworkAddress } from '@parley/telephone'
import type { Outbound } from '../../ports/outbound.js'
import type { Timers } from '../../ports/time.js'

type SipAccount = NonNullable<PhoneConnection['sip']>

export type SrvResolver = (
  name: string,
) => Promise<readonly { name: string; port: number; priority: number; weight: number }[]>

export interface LocateDependencies {
  readonly outbound: Pick<Outbound, 'resolve'>
  readonly timers: Timers
  /** Defaults to the operating system's name servers. */
  readonly resolveServices?: SrvResolver | undefined
}

const services = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' } as const
const usualPorts = { udp: 5060, tcp: 5060, tls: 5061 } as const
const srvMilliseconds = 5000
const maxPlaces = 8

/**
 * Returns the checked addresses of a SIP server, the preferred one first: SRV records if no port is given, then A records
 * (RFC 3263). Rejects with an OutboundFailure if the guard allows none of them, or if the host is unknown.
 */
export async function locateSipServer(
  dependencies: LocateDependencies,
  account: Pick<SipAccount, 'host' | 'port' | 'transport'>,
): Promise<readonly NetworkAddress[]> {
  const found = await Promise.allSettled(
    (await placesOf(dependencies, account)).map(async ({ name, port }) => {
      const addresses = await dependencies.outbound.resolve(`ws://${name}:${port}`)
      return addresses.filter(({ family }) => family === 4).map(({ address }) => ({ address, port }))
    }),
  )
  const refusal = found.find((each) => each.status === 'rejected')
  const allowed = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  if (allowed.length === 0 && refusal) throw refusal.reason
  return allowed.slice(0, maxPlaces)
}

async function placesOf(
  { timers, resolveServices = resolveSrv }: LocateDependencies,
  { host, port, transport }: Pick<SipAccount, 'host' | 'port' | 'transport'>,
): Promise<readonly { readonly name: string; readonly port: number }[]> {
  const itself = [{ name: host, port: port ?? usualPorts[transport] }]
  if (port !== null || isIP(host) !== 0) return itself
  const asked = resolveServices(`${services[transport]}.${host}`).catch(() => [])
  const records = await timers.within(srvMilliseconds, asked)
  const places = (records.ok ? [...records.value] : [])
    .filter(({ name }) => name !== '' && name !== '.')
    .sort((one, other) => one.priority - other.priority || other.weight - one.weight)
  return places.length > 0 ? places.slice(0, maxPlaces) : itself
}
