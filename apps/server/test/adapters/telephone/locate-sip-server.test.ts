import { describe, expect, test } from 'vitest'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import { systemTimers } from '#server/adapters/system/timers.js'
import { locateSipServer, type SrvResolver } from '#server/adapters/telephone/locate-sip-server.js'
import { closeAfterwards } from '../../support/close-afterwards.js'

const [first, second] = ['198.41.0.4', '199.7.83.42']

function locator(hosts: Readonly<Record<string, string[]>>, records: Awaited<ReturnType<SrvResolver>> = []) {
  const asked: string[] = []
  const outbound = makeOutbound({
    allowedPrivateHosts: ['fritz.box:5060'],
    resolver: async (name) => {
      const addresses = hosts[name]
      if (addresses === undefined) throw new Error('ENOTFOUND')
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  })
  closeAfterwards(() => outbound.close())
  const resolveServices: SrvResolver = async (name) => {
    asked.push(name)
    return records
  }
  const locate = (host: string, port: number | null = null, transport: 'udp' | 'tcp' | 'tls' = 'udp') =>
    locateSipServer({ outbound, timers: systemTimers, resolveServices }, { host, port, transport })
  return { asked, locate }
}

const record = (name: string, priority: number, weight = 0, port = 5070) => ({ name, port, priority, weight })

describe('the addresses of a SIP server', () => {
  test('come from SRV records, in the order of their priority and weight', async () => {
    const records = [
      record('b.example.com', 20),
      record('c.example.com', 10, 1),
      record('a.example.com', 10, 5),
    ]
    const hosts = {
      'a.example.com': [first],
      'b.example.com': ['2606:4700::1', second],
      'c.example.com': [second],
    }
    const { asked, locate } = locator(hosts, records)
    expect(await locate('sip.example.com', null, 'tls')).toEqual(
      [first, second, second].map((address) => ({ address, port: 5070 })),
    )
    expect(asked).toEqual(['_sips._tcp.sip.example.com'])
  })

  test('have the usual port without SRV records, and a given port without asking for them', async () => {
    const { asked, locate } = locator({ 'sip.example.com': [first] })
    expect(await locate('sip.example.com')).toEqual([{ address: first, port: 5060 }])
    expect(await locate('sip.example.com', null, 'tls')).toEqual([{ address: first, port: 5061 }])
    expect(await locate('sip.example.com', 5080)).toEqual([{ address: first, port: 5080 }])
    expect(asked).toHaveLength(2)
  })

  test('are refused if they are private, also behind a public name or an SRV record [SIP-4]', async () => {
    const { locate } = locator({ 'sip.example.com': ['10.0.0.7'], 'fritz.box': ['192.168.178.1'] })
    await expect(locate('sip.example.com')).rejects.toThrow('PARLEY_ALLOWED_PRIVATE_HOSTS')
    await expect(locate('127.0.0.1')).rejects.toThrow('PARLEY_ALLOWED_PRIVATE_HOSTS')
    expect(await locate('fritz.box')).toEqual([{ address: '192.168.178.1', port: 5060 }])
    await expect(locate('fritz.box', 22)).rejects.toThrow('PARLEY_ALLOWED_PRIVATE_HOSTS')
    const steered = locator({ 'inside.example.com': ['169.254.169.254'] }, [record('inside.example.com', 1)])
    await expect(steered.locate('sip.example.com')).rejects.toThrow('not a public address')
  })

  test('are unknown if no name server knows the host', async () => {
    const { locate } = locator({})
    await expect(locate('sip.example.com')).rejects.toThrow('sip.example.com was not found')
  })
})
