import { expect, test } from 'vitest'
import { locateServer, type NameResolver } from '#telephone/sip/locate-server.js'

const resolver: NameResolver = {
  srv: async (name) => {
    if (name !== '_sip._udp.example.com') throw new Error('ENOTFOUND')
    return [
      { name: 'b.example.com', port: 5070, priority: 20, weight: 0 },
      { name: 'a.example.com', port: 5060, priority: 10, weight: 1 },
      { name: 'c.example.com', port: 5062, priority: 10, weight: 9 },
    ]
  },
  addresses: async (name) => {
    const known: Record<string, readonly string[]> = {
      'a.example.com': ['192.0.2.1', '192.0.2.2'],
      'b.example.com': ['192.0.2.3'],
      'example.com': ['192.0.2.9'],
    }
    const found = known[name]
    if (found === undefined) throw new Error('ENOTFOUND')
    return found
  },
}

test.each([
  ['example.com', null, 'UDP', ['192.0.2.1:5060', '192.0.2.2:5060', '192.0.2.3:5070']],
  ['example.com', 5080, 'UDP', ['192.0.2.9:5080']],
  ['example.com', null, 'TCP', ['192.0.2.9:5060']],
  ['example.com', null, 'TLS', ['192.0.2.9:5061']],
  ['192.0.2.7', null, 'UDP', ['192.0.2.7:5060']],
  ['unknown.example', null, 'UDP', []],
] as const)('%s with port %s over %s is at %j', async (host, port, protocol, expected) => {
  const found = await locateServer(host, port, protocol, resolver)
  expect(found.map((target) => `${target.address}:${target.port}`)).toEqual(expected)
})
