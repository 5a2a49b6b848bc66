import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeHttpToolExecutor } from '#server/adapters/http-tools/http-tool-executor.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import { noTracing } from '#server/adapters/system/tracing.js'
import { type RecordingServer, startRecordingServer } from '../../support/outbound/recording-server.js'
import { type ScriptedResolver, scriptResolver } from '../../support/outbound/scripted-resolver.js'
import { httpTool, invocationOf } from '../../support/tools/invocations.js'

/**
 * The rules treat these addresses as global, but they are unassigned, so tests send no packet to a real
 * host.
 */
const nowhere = '3000::1'

/** Hosts that the url of a tool must not have, grouped by spelling. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  loopback: [
    '127.0.0.1',
    '127.0.0.1.',
    '127.255.255.254',
    '127.1',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '0',
    '0.0.0.0',
  ],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '198.18.0.1'],
  'link-local and metadata': ['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192'],
  'not for hosts': ['224.0.0.1', '240.0.0.1', '255.255.255.255', '192.0.2.1'],
  decimal: ['2130706433', '2852039166', '3232235777'],
  octal: ['0177.0.0.1', '017700000001', '0251.0376.0251.0376'],
  hexadecimal: ['0x7f.0.0.1', '0x7f000001', '0xa9fea9fe', '0X7F.1'],
  disguised: [
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '127\u30020\u30020\u30021',
    '\uff11\uff12\uff17.0.0.1',
    'loc\u00adalhost',
  ],
  IPv6: [
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[2001:db8::1]',
  ],
  'IPv4 inside IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:169.254.169.254]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
  ],
}

/** Names that only a DNS lookup can judge. */
const names = {
  'loopback.test': [['127.0.0.1']],
  'loopback6.test': [['::1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'metadata.test': [['169.254.169.254']],
  'zone.test': [['fe80::1%lo']],
  'private.test': [['10.0.0.1']],
  'mixed.test': [[nowhere, '127.0.0.1']],
}

const methods = ['GET', 'POST', 'DELETE'] as const

describe('HTTP tools and private addresses [OUT-1] [TOOL-7]', () => {
  let server: RecordingServer
  const { resolver } = scriptResolver(names)
  const outbound = makeOutbound({ allowedPrivateHosts: [], resolver })
  const executor = makeHttpToolExecutor(outbound, noTracing)

  beforeAll(async () => {
    server = await startRecordingServer()
  })
  afterAll(async () => {
    await outbound.close()
    await server.close()
  })

  async function expectRefusal(host: string): Promise<void> {
    for (const method of methods) {
      const tool = httpTool({})
      const url = `http://${host}:${server.port}/{path}`
      const outcome = await executor.run(
        // As if the tool had been stored before the check on saving existed.
        { ...tool, request: { ...tool.request, method, url } },
        invocationOf({ path: 'x' }, { headers: { Authorization: 'Bearer secret-token' } }),
      )
      expect(outcome.ok).toBe(false)
      expect(outcome.output).toContain('PARLEY_ALLOWED_PRIVATE_HOSTS')
    }
    expect(server.sockets).toEqual([])
  }

  const rows = Object.entries(hosts).flatMap(([kind, all]) => all.map((host) => [kind, host] as const))
  test.each(rows)('the tool rejects %s: %s', (_kind, host) => expectRefusal(host))

  test.each(Object.keys(names))(
    'the tool rejects a name that resolves to a private address: %s [OUT-2]',
    expectRefusal,
  )

  test('the tool rejects an argument that leads to a private address', async () => {
    const values = [
      '@127.0.0.1',
      '//127.0.0.1/',
      '\\\\127.0.0.1',
      '..//127.0.0.1',
      '?@127.0.0.1',
      '#@127.0.0.1',
      ':80@127.0.0.1',
    ]
    const offline = makeOutbound({ allowedPrivateHosts: [], resolver: scriptResolver({}).resolver })
    for (const value of values) {
      const url = `http://public.test:${server.port}/{path}?q={query}`
      const outcome = await makeHttpToolExecutor(offline, noTracing).run(
        httpTool({ url }),
        invocationOf({ path: value, query: value }),
      )
      // The request went to the author's host, which does not exist, or nowhere.
      expect(outcome).toMatchObject({ ok: false })
      expect(outcome.output).toMatch(/The host public\.test was not found\.|argument/)
    }
    await offline.close()
    expect(server.sockets).toEqual([])
  })
})

/** An allowed server at public.test, and a private server beside it. */
async function startPair(answer: (privatePort: number) => RequestListener, script: ScriptedResolver) {
  const hidden = await startRecordingServer()
  const open = await startRecordingServer(answer(hidden.port))
  const outbound = makeOutbound({
    allowedPrivateHosts: [`public.test:${open.port}`],
    resolver: script.resolver,
  })
  const run = (method: (typeof methods)[number]) =>
    makeHttpToolExecutor(outbound, noTracing).run(
      httpTool({ method, url: `http://public.test:${open.port}/` }),
      invocationOf({ a: 1 }, { timeoutMilliseconds: 1000, headers: { 'X-Key': 'the-secret-key' } }),
    )
  const close = () => Promise.all([outbound.close(), hidden.close(), open.close()])
  return { hidden, open, run, close }
}

describe('redirects of an HTTP tool to private addresses [OUT-3] [TOOL-7]', () => {
  const targets = [
    '127.0.0.1',
    '[::1]',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    'localhost',
    'private.test',
  ]

  test.each(targets.flatMap((host) => [302, 307].map((status) => [host, status] as const)))(
    'the tool does not follow a redirect to %s (%i)',
    async (host, status) => {
      const redirect =
        (port: number): RequestListener =>
        (_request, response) =>
          response.writeHead(status, { location: `http://${host}:${port}/` }).end()
      const script = scriptResolver({ 'public.test': [['127.0.0.1']], 'private.test': [['127.0.0.1']] })
      const { hidden, open, run, close } = await startPair(redirect, script)
      for (const method of methods) {
        expect(await run(method)).toMatchObject({
          ok: false,
          output: expect.not.stringContaining('hello'),
        })
      }
      expect(open.hits).toHaveLength(methods.length)
      expect(hidden.sockets).toEqual([])
      await close()
    },
  )
})

describe('a name that changes its address [OUT-2] [TOOL-7]', () => {
  test('is resolved again and rejected for a new connection', async () => {
    const script = scriptResolver({ 'rebinding.test': [[nowhere], ['127.0.0.1']] })
    const server = await startRecordingServer()
    const outbound = makeOutbound({ allowedPrivateHosts: [], resolver: script.resolver })
    const run = () =>
      makeHttpToolExecutor(outbound, noTracing).run(
        httpTool({ url: `http://rebinding.test:${server.port}/` }),
        invocationOf({}, { timeoutMilliseconds: 500 }),
      )
    expect((await run()).output).not.toContain('PARLEY_ALLOWED_PRIVATE_HOSTS')
    expect((await run()).output).toContain('PARLEY_ALLOWED_PRIVATE_HOSTS')
    expect(script.asked).toEqual(['rebinding.test', 'rebinding.test'])
    expect(server.sockets).toEqual([])
    await outbound.close()
    await server.close()
  })

  test('cannot change its address between the check and the connection', async () => {
    const script = scriptResolver({ 'public.test': [['127.0.0.1'], ['10.0.0.1']] })
    const { open, run, close } = await startPair(
      () => (_request, response) => void response.end('hello'),
      script,
    )
    expect(await run('GET')).toEqual({ ok: true, output: 'hello' })
    expect(script.asked).toEqual(['public.test'])
    expect(open.hits).toHaveLength(1)
    await close()
  })
})
