import { networkInterfaces } from 'node:os'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import { limits } from '../../support/outbound/outbound-fixture.js'
import { type RecordingServer, startRecordingServer } from '../../support/outbound/recording-server.js'
import { scriptResolver } from '../../support/outbound/scripted-resolver.js'

/** Hosts that reach the loopback interface without a guard. The control below proves it. */
const loopbackHosts = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.1.',
  '127.0.1',
  '127.000.000.001',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0X7F000001',
  '0x7f.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '0177.1',
  '00000000177.0.0.1',
  '0x7f.0x0.0x0.0x1',
  '0X7F.0.0.01',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '\uff11\uff12\uff17.\uff10.\uff10.\uff11',
  '127\u30020\u30020\u30021',
  '127\uff0e0\uff0e0\uff0e1',
  '\u2460\u2461\u2466.\u24ea.\u24ea.\u2460',
  '1\u00ad27.0.0.1',
  '127.0.\n0.1',
  '\t127.0.0.1',
  '0',
  '0.0.0.0',
  '0x0',
  '00',
  'localhost',
  'LOCALHOST',
  'loc%61lhost',
  '\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54',
  'lo\u00adcalhost',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7F00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
]

const otherHosts = [
  '127.0.0.1..',
  '127.255.255.254',
  '[::1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::127.0.0.1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[2606:4700:4700::5efe:127.0.0.1]',
  '[fe80::1]',
  '[fe80::1%25eth0]',
  '[::1%25lo]',
  '[::1%lo]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '169.254.169.254',
  '169.254.43518',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '10.0.0.1',
  '10.1',
  '0xa.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '3232235777',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  'localhost.',
  'LocalHost.',
  'localhost%2e',
  'foo.localhost',
  'FOO.LocalHost.',
  'a.b.localhost',
  '.localhost',
  'localhost..',
  'a..b',
  '127.0.0.256',
  '4294967296',
  '127.0.0.1%00.example.com',
  '127.0.0.1%2f.example.com',
]

const hosts = [...loopbackHosts, ...otherHosts]

/** URLs whose scheme, credentials or syntax must be rejected. */
const forms: readonly ((port: number) => string)[] = [
  (port) => `http:127.0.0.1:${port}`,
  (port) => `http:/127.0.0.1:${port}/`,
  (port) => `http:///127.0.0.1:${port}/`,
  (port) => `http:\\\\127.0.0.1:${port}\\`,
  (port) => `http://127.0.0.1:${port}\\@example.com/`,
  (port) => `http://example.com@127.0.0.1:${port}/`,
  (port) => `http://user:password@example.com:${port}/`,
  (port) => `http://:password@example.com:${port}/`,
  (port) => `http://user@example.com:${port}/`,
  (port) => `  http://127.0.0.1:${port}/  `,
  (port) => `HTTP://127.0.0.1:${port}/`,
  (port) => `https://127.0.0.1:${port}/`,
  (port) => `ws://example.com:${port}/`,
  (port) => `wss://example.com:${port}/`,
  (port) => `ftp://example.com:${port}/`,
  (port) => `gopher://127.0.0.1:${port}/_GET`,
  () => 'file:///etc/passwd',
  () => 'data:text/plain,hello',
  () => 'blob:http://127.0.0.1/x',
  () => 'javascript:alert(1)',
  () => 'unix:/var/run/docker.sock',
  () => 'http://',
  () => '//127.0.0.1/',
  () => '127.0.0.1',
  () => '',
]

/** Names that only a DNS lookup can judge. */
const names = {
  '127.0.0.1.nip.test': [['127.0.0.1']],
  'localtest.test': [['127.0.0.1']],
  'localtest6.test': [['::1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'metadata.google.internal': [['169.254.169.254']],
  'zone.test': [['fe80::1%lo']],
  'unspecified.test': [['0.0.0.0']],
  'private.test': [['10.0.0.1']],
  'mixed.test': [['3000::1', '127.0.0.1']],
  'mixed-reversed.test': [['127.0.0.1', '3000::1']],
  'odd.test': [['0x7f.1']],
}

/** The control needs a machine with IPv6. The guard does not. */
const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'))
const controls = loopbackHosts.filter((host) => hasIPv6 || !host.startsWith('['))

describe('rejected spellings of an address [OUT-1]', () => {
  let servers: readonly RecordingServer[]
  let port: number
  const { resolver } = scriptResolver(names)
  const outbound = makeOutbound({ allowedPrivateHosts: [], resolver })
  const connections = () => servers.flatMap((server) => server.sockets).length

  beforeAll(async () => {
    const server = await startRecordingServer()
    port = server.port
    servers = hasIPv6 ? [server, await startRecordingServer(undefined, { host: '::1', port })] : [server]
  })
  afterAll(async () => {
    await outbound.close()
    await Promise.all(servers.map((server) => server.close()))
  })

  async function expectNoConnection(url: string): Promise<string> {
    const before = connections()
    const error: unknown = await outbound.fetch(url, limits).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(connections()).toBe(before)
    if (!outbound.isFailure(error)) throw new Error(`${url} was not rejected`)
    expect(error.reason).toBe('refused')
    return error.detail
  }

  test.each(controls.map((host) => [JSON.stringify(host), host]))(
    'control: an unguarded request to %s reaches the server',
    async (_shown, host) => {
      const before = connections()
      const { body } = await request(new URL(`http://${host}:${port}/`), { reset: true })
      await body.dump()
      expect(connections()).toBe(before + 1)
    },
  )

  test.each(hosts.map((host) => [JSON.stringify(host), host]))(
    'the guard rejects the host %s',
    async (_shown, host) => {
      const url = `http://${host}:${port}/`
      const explanation = outbound.explainRefusal(url)
      expect(explanation).not.toBeNull()
      expect(await expectNoConnection(url)).toBe(explanation)
      expect(outbound.explainRefusal(`ws://${host}:${port}/`, 'websocket')).not.toBeNull()
      await expect(outbound.resolve(`ws://${host}:${port}/`)).rejects.toSatisfy(outbound.isFailure)
    },
  )

  test.each(forms.map((form) => [JSON.stringify(form(1)), form] as const))(
    'the guard rejects the form %s',
    async (_shown, form) => {
      const explanation = outbound.explainRefusal(form(port))
      expect(explanation).not.toBeNull()
      expect(await expectNoConnection(form(port))).toBe(explanation)
    },
  )

  test.each(Object.keys(names))('the guard rejects the name %s because of its addresses', async (name) => {
    expect(outbound.explainRefusal(`http://${name}:${port}/`)).toBeNull()
    expect(await expectNoConnection(`http://${name}:${port}/`)).toContain('PARLEY_ALLOWED_PRIVATE_HOSTS')
    await expect(outbound.resolve(`wss://${name}:${port}/`)).rejects.toMatchObject({ reason: 'refused' })
  })

  test('the error names the setting only if the setting would help', () => {
    expect(outbound.explainRefusal('http://10.0.0.1/')).toContain('PARLEY_ALLOWED_PRIVATE_HOSTS')
    expect(outbound.explainRefusal('http://user:secret@example.com/')).not.toMatch(/PARLEY|secret/)
    expect(outbound.explainRefusal('ftp://10.0.0.1/')).not.toContain('PARLEY')
  })

  test('the error does not reveal the address of a name', async () => {
    expect(await expectNoConnection(`http://private.test:${port}/`)).not.toContain('10.0.0.1')
  })

  test.each([
    'https://api.example.com/v1',
    'http://1.1.1.1:8080/',
    'https://[2606:4700:4700::1111]/',
    'https://b\u00fccher.example/',
  ])('control: the guard does not reject the spelling %s', (url) => {
    expect(outbound.explainRefusal(url)).toBeNull()
    expect(outbound.explainRefusal(url.replace('http', 'ws'), 'websocket')).toBeNull()
  })

  test('each use accepts its own schemes', () => {
    expect(outbound.explainRefusal('wss://example.com/')).toContain('http:')
    expect(outbound.explainRefusal('https://example.com/', 'websocket')).toContain('ws:')
    expect(outbound.explainRefusal('wss://example.com/', 'websocket')).toBeNull()
  })
})
