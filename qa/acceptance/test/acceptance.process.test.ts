import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAcceptance } from '#acceptance/acceptance.js'
import type { Summary } from '#acceptance/outcome.js'
import { closeAfterwards } from '../../../apps/server/test/support/close-afterwards.js'
import { startCaddy, startNginx } from '../../../apps/server/test/support/deploy/example-proxies.js'
import { cleanUp, newDirectory, slow } from '../../../apps/server/test/support/process/parley-process.js'
import { joinInstance } from '../../../apps/server/test/support/questions/instances.js'
import type { PostgresDatabase } from '../../../apps/server/test/support/services/postgres-database.js'
import { createRedisUrl } from '../../../apps/server/test/support/services/redis-database.js'
import {
  migratedDatabase,
  type RunningService,
  startService,
} from '../../../apps/server/test/support/start-service.js'
import { startFaultyProxy } from './faulty-proxy.js'
import { startObligingProvider } from './obliging-provider.js'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const resources = ['Agent', 'ApiKey', 'Connection', 'Conversation', 'Task', 'TemporaryFile']

let postgres: PostgresDatabase
let one: RunningService
let other: RunningService
let folder: string
let connectionId: string

beforeAll(async () => {
  postgres = await migratedDatabase()
  folder = await newDirectory()
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: await createRedisUrl(),
    PARLEY_TRUST_PROXY: '1',
    PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  }
  one = await startService({ env })
  other = await joinInstance(one, postgres.url, { env })
  // Without a named connection, the checks would use the built-in engine, which takes seconds to load on
  // each instance.
  const connection = { kind: 'openai-compatible', baseUrl: await startObligingProvider(), apiKey: 'sk-test' }
  const body = { name: 'Obliging', ...connection, models: { chat: 'obliging', realtime: ['obliging'] } }
  connectionId = (await one.client.call<{ id: string }>('POST', '/api/v1/Connection', { body })).body.id
})

afterAll(async () => {
  await Promise.all([one.close(), other.close()])
  await postgres.drop()
  await cleanUp()
})

const credentials = () => ['--org', one.organizationId, '--key', one.apiKey, '--connection', connectionId]

/** Runs the command in a separate process, like an operator. */
function start(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...credentials(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
  return {
    child,
    ended,
    output: Promise.all([text(child.stdout), text(child.stderr)]).then((all) => all.join('')),
  }
}

/** Runs the command in this process. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  let output = ''
  const write = (more: string) => {
    output += more
  }
  const code = await runAcceptance({
    args,
    env,
    terminal: { isColored: false, write },
    errors: { write },
    interrupted: new AbortController().signal,
    trust: () => Promise.reject(new Error('for a process')),
  })
  return { code, output }
}

async function counts(): Promise<Record<string, number>> {
  const all = resources.map(async (resource) => {
    const { body } = await one.client.call<{ totalCount: number }>('GET', `/api/v1/${resource}?Limit=1`)
    return [resource, body.totalCount] as const
  })
  return Object.fromEntries(await Promise.all(all))
}

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('Behind %s with its file of deploy/', (name, startProxy) => {
  test('all checks pass on two instances and leave nothing behind [ACCEPT-1]', slow, async () => {
    const before = await counts()
    const proxy = await startProxy([one.url, other.url])
    const json = join(folder, `${name}.json`)
    const { output, ended } = start(['--url', proxy.url, '--ca', proxy.caFile, '--json', json, '--strict'])
    expect(await ended, await output).toBe(0)
    const summary = JSON.parse(await readFile(json, 'utf8')) as Summary
    expect(summary.outcomes.length).toBeGreaterThan(35)
    expect(summary.outcomes.filter(({ kind }) => kind !== 'passed')).toEqual([])
    for (const { log } of [one, other]) expect(log.some((line) => line.includes(summary.run))).toBe(true)
    expect(await counts()).toEqual(before)
  })
})

test('a plain request for a session behind nginx gets 426 over HTTP/2 [RT-2]', slow, async () => {
  const proxy = await startNginx([one.url, other.url])
  const dispatcher = new Agent({ allowH2: true, connect: { ca: await readFile(proxy.caFile) } })
  closeAfterwards(() => dispatcher.close())
  const agent = await one.client.call<{ id: string }>('POST', '/api/v1/Agent', {
    body: { name: 'Plain', connectionId },
  })
  const session = `/api/v1/Agent/${agent.body.id}/realtime-session`
  const { body: ticket } = await one.client.call<{ webSocketPath: string }>('POST', session, { body: {} })
  const answer = await request(`${proxy.url}${ticket.webSocketPath}`, { dispatcher })
  expect(await answer.body.json()).toMatchObject({ status: 426, errorCode: 'UpgradeRequired' })
})

describe('A faulty deployment', () => {
  test('fails the checks for its faults with details and exit code 1 [ACCEPT-2]', slow, async () => {
    const before = await counts()
    const url = await startFaultyProxy(one.url)
    const [json, junit] = [join(folder, 'faults.json'), join(folder, 'faults.xml')]
    const options = ['--only', 'proxy', '--without-models', '--file-bytes', '100000']
    const reports = ['--json', json, '--junit', junit]
    const { code, output } = await run([...credentials(), '--url', url, ...options, ...reports])
    expect(code, output).toBe(1)
    const { outcomes, run: name } = JSON.parse(await readFile(json, 'utf8')) as Summary
    const failed = outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? [outcome] : []))
    expect(failed.map(({ title }) => title)).toEqual([
      'the proxy forwards WebSockets',
      'events arrive while their stream is open',
      "the caller's own address is recorded and cannot be forged",
    ])
    expect(failed.map(({ failure }) => failure.got)).toEqual([
      'HTTP 400, not from Parley: <h1>No 🚫</h1>',
      'nothing: something buffers the response',
      '203.0.113.77',
    ])
    for (const { failure } of failed) {
      expect(output).toContain(`look at   ${failure.look}`)
      expect(failure.requestIds.every((id) => id.startsWith(name))).toBe(true)
    }
    const [, , ofAddress] = failed.map(({ failure }) => failure.requestIds[0] ?? '')
    expect(one.log.some((line) => line.includes(`"${ofAddress}"`))).toBe(true)
    const xml = await readFile(junit, 'utf8')
    expect(xml).toContain('<testsuite name="proxy" tests="7" failures="3" skipped="1"')
    expect(xml).toContain('&lt;h1&gt;No 🚫&lt;/h1&gt;')
    expect(await counts()).toEqual(before)
  })
})

test('an interrupted run removes its resources and exits with code 1 [ACCEPT-3]', slow, async () => {
  const before = await counts()
  const { child, ended, output } = start(['--url', one.url, '--only', 'agents,tasks,files,audit'])
  child.stdout.on('data', (chunk: Buffer) => {
    if (String(chunk).includes('lists come in pages')) child.kill('SIGINT')
  })
  expect(await ended, await output).toBe(1)
  expect(await output).toContain('Nothing was left behind')
  expect(await counts()).toEqual(before)
})

describe('The command', () => {
  test('skips checks without their scopes and names the reason, but fails if the key is rejected [ACCEPT-4]', async () => {
    const body = { name: 'Reader', scopes: ['agent:read'] }
    const { key } = (await one.client.call<{ key: string }>('POST', '/api/v1/ApiKey', { body })).body
    const { code, output } = await run([], {
      PARLEY_URL: `${one.url}/`,
      PARLEY_ORG_ID: one.organizationId,
      PARLEY_API_KEY: key,
    })
    expect(code, output).toBe(0)
    expect(output).toContain('the key lacks the scope agent:write, conversation:write, question:ask')
    expect(
      await run(['--strict', '--url', one.url, '--org', one.organizationId, '--key', key]),
    ).toMatchObject({
      code: 1,
    })
    const unknown = await run(['--url', one.url, '--org', one.organizationId, '--key', `${key}x`])
    expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('the key was rejected (401)') })
  })
})

describe('The command line', () => {
  test.each([
    [['--url', 'nowhere', '--org', 'x', '--key', 'y'], 'must be an HTTP address'],
    [[], '--key is required'],
    [['--color'], '--color'],
    [['--url', 'http://127.0.0.1:9', '--org', 'x', '--key', 'y', '--file-bytes', '-1'], '--file-bytes'],
  ])('exits with code 2 for %j [ACCEPT-5]', async (args, words) => {
    const { code, output } = await run(args)
    expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining(words) })
  })

  test('prints the list of checks and the help [ACCEPT-5]', async () => {
    expect((await run(['--list'])).output).toContain('  the proxy forwards WebSockets (')
    expect(await run(['--help'])).toMatchObject({ code: 0, output: expect.stringContaining('--ca <file>') })
  })
})
