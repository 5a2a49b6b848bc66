import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runTestCommand, type TestOptions } from '@parley/agent-tests'
import { Output } from '@parley/terminal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { concealerOf } from '#server/adapters/secret-redaction/conceal-secrets.js'
import { faults, type PlantedModel, startPlantedModel } from '../../support/agent-tests/planted-model.js'
import { type PlantedVoice, startPlantedVoice } from '../../support/agent-tests/planted-voice.js'
import { shopKey, shopTests, writeShopAgents } from '../../support/agent-tests/shop-agents.js'
import { runCommand } from '../../support/cli/run-command.js'
import { type RunningService, startService } from '../../support/start-service.js'

interface Report {
  readonly ok: boolean
  readonly tests: readonly {
    readonly name: string
    readonly agent: string
    readonly verdict: string
    readonly passed: number
    readonly runs: readonly {
      readonly kind: string
      readonly reason: string | null
      readonly misses: readonly { readonly expectation: string; readonly got: string }[]
      readonly transcript: readonly string[]
    }[]
  }[]
}

let running: RunningService
let model: PlantedModel
let voice: PlantedVoice
let folders: { readonly agents: string; readonly tests: string }

beforeAll(async () => {
  model = await startPlantedModel()
  voice = await startPlantedVoice()
  folders = await writeShopAgents({ model: model.baseUrl, voice: voice.baseUrl })
  running = await startService({
    env: {
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      PARLEY_ORG_MAX_AGENTS: '100000',
      PARLEY_ORG_MAX_CONNECTIONS: '100000',
    },
  })
})

afterAll(async () => {
  await running.close()
  await Promise.all([model.close(), voice.close()])
})

async function testFile(name: string, text: string): Promise<string> {
  const path = join(folders.tests, name)
  await writeFile(path, text)
  return path
}

const env = () => ({
  ORG: running.organizationId,
  KEY: running.apiKey,
  SHOP_KEY: shopKey,
  SHOP_TOKEN: 'none',
})

/** Runs the command against the service of this file. */
const parleyTest = (...args: readonly string[]) =>
  runCommand(['test', ...args, '--url', running.url], { env: env(), cwd: folders.tests })

const tone = Int16Array.from({ length: 0.6 * 24_000 }, (_, place) => Math.round(8000 * Math.sin(place / 8)))

interface OwnTestEvents {
  readonly interruption?: AbortSignal
  readonly onClose?: () => void
}

/**
 * Runs the command as if it had started its own service. It uses the service of this file, and a tone as the
 * user's voice.
 */
async function ownTest(
  paths: readonly string[],
  options: TestOptions,
  { interruption = new AbortController().signal, onClose = () => undefined }: OwnTestEvents = {},
) {
  const { url, organizationId, apiKey } = running
  let [stdout, stderr] = ['', '']
  const streams = {
    isTTY: false,
    out: (text: string) => {
      stdout += text
    },
    err: (text: string) => {
      stderr += text
    },
  }
  const code = await runTestCommand(
    {
      output: new Output(streams, true),
      env: { SHOP_KEY: shopKey },
      parts: {
        startService: async () => ({ url, organizationId, apiKey, close: async () => onClose() }),
        conceal: concealerOf,
        speaker: { speak: async () => tone },
        meaning: { likeness: async (texts, wanted) => texts.map(() => (/open/.test(wanted) ? 0.7 : 0)) },
        close: async () => undefined,
      },
      interruption,
    },
    paths,
    { ...options, agents: [folders.agents] },
  )
  return { code, report: JSON.parse(stdout) as Report, stderr }
}

const missedExpectations = ({ tests }: Report) =>
  Object.fromEntries(
    tests
      .filter(({ verdict }) => verdict !== 'passed')
      .map(({ agent, runs }) => [
        agent,
        runs.flatMap(({ misses }) => misses.map(({ expectation }) => expectation)),
      ]),
  )

describe('agents with planted faults', () => {
  beforeAll(async () => {
    const applied = await runCommand(['apply', folders.agents, '--url', running.url], {
      env: env(),
      cwd: folders.tests,
    })
    expect(applied).toMatchObject({ code: 0 })
  })

  test('each fault is caught by the matching expectation, the good agent passes 20 of 20 times, and nothing remains [KIT-1] [KIT-2] [KIT-6]', async () => {
    const files = await Promise.all([
      testFile('good.test.yaml', shopTests('good', { repeat: 20 })),
      ...faults.map((fault) => testFile(`${fault}.test.yaml`, shopTests(fault))),
    ])
    const junit = join(folders.tests, 'junit.xml')
    const ended = await parleyTest(...files, '--json', '--junit', junit)
    expect(ended.code, ended.stderr).toBe(1)
    const report = JSON.parse(ended.stdout) as Report
    const good = report.tests.filter(({ agent }) => agent === 'good')
    expect(good.map(({ verdict, passed }) => [verdict, passed])).toEqual([
      ['passed', 20],
      ['passed', 1],
      ['passed', 1],
    ])
    expect(missedExpectations(report)).toEqual({
      'wrong-tool': ['calls', 'says'],
      'wrong-argument': ['calls'],
      'skips-approval': ['decide', 'waitsFor'],
      leaks: ['saysNot'],
      slow: ['withinMs'],
    })
    expect(await readFile(junit, 'utf8')).toMatch(
      /^<\?xml [^>]*>\n<testsuites name="parley test" tests="18" failures="5" errors="0" [\s\S]*<failure message="0 of 1 runs passed, 1 must: calls: expected find_order {&quot;number/,
    )
    expect(ended.stderr).toMatch(/\[18\/18\] /)
    const left = await running.client.call('GET', '/api/v1/Conversation?Rehearsal=true')
    expect(left.body).toMatchObject({ totalCount: 0 })
  }, 180_000)

  test('tests can use decisions, sub-agents, a judge and a goal, and a failure shows the conversation [KIT-3]', async () => {
    const file = await testFile(
      'others.test.yaml',
      `agent: good
tools: { find_order: { output: { status: sent } }, cancel_order: { error: It was sent already. } }
tests:
  - name: is told no
    turns:
      - user: Please cancel order 4711.
        expect: [{ waitsFor: { cancel_order: {} } }]
        decide: reject
        reason: not today
        then: [{ called: { cancel_order: { status: failed, text: not today } } }, { says: did not work out }]
  - name: is kind
    turns: [{ user: Hello, expect: [{ judge: it is kind }] }]
  - name: rhymes
    turns: [{ user: Hello, expect: [{ judge: it rhymes }] }]
  - name: helps whoever looks for an order
    goal: You want to know where order 4711 is.
    expect: [{ calls: { find_order: { number: '4711' } } }]
  - name: does not wait
    turns: [{ user: Please cancel order 4711. }]
`,
    )
    const asks = await testFile(
      'asks.test.yaml',
      `agent: Asks
tests:
  - name: asks the bookkeeper
    turns: [{ user: I need an invoice., expect: [{ subAgent: bookkeeper }, { says: in the mail }] }]
`,
    )
    const ended = await parleyTest(file, asks, '--judge', 'judge')
    expect(ended.code).toBe(1)
    expect(ended.stdout).toMatch(/4 of 6 tests passed, 2 failed in \d+\.\d s\./)
    expect(ended.stdout).toContain('judge: expected it rhymes; got It does not rhyme.')
    expect(ended.stdout).toContain(
      'answer: expected an answer (or waitsFor and decide in the test); got these calls wait for a person: cancel_order',
    )
    expect(ended.stdout).toMatch(/user: {3}Hello\n\s+agent: {2}I am sorry/)

    const unjudged = await parleyTest(file, '--only', 'r', '--json')
    expect(unjudged.code).toBe(2)
    const broken = (JSON.parse(unjudged.stdout) as Report).tests.filter(({ verdict }) => verdict === 'broken')
    expect(broken.map(({ name, runs }) => [name, runs[0]?.reason])).toEqual([
      ['rhymes', expect.stringContaining('--judge AGENT')],
      ['helps whoever looks for an order', expect.stringContaining('--user AGENT')],
    ])
  }, 180_000)
})

test('invalid files are reported with file, line and field, and no test runs [KIT-4]', async () => {
  const file = await testFile(
    'wrong.test.yaml',
    `agent: good
tools: { find_order: { outptu: 1 } }
tests:
  - name: twice
    repeat: 2
    pass: 3
    turns:
      - user: Hello
        bargeInAfterMs: 100
        expect: [{ sayz: hello }, { interrupted: maybe }, { says: '/[/' }]
`,
  )
  const before = model.count()
  const ended = await parleyTest(file)
  expect(ended.code).toBe(2)
  expect(ended.stderr.trim().split('\n')).toEqual([
    `${file}:2:24: tools.find_order.outptu is not a known field`,
    `${file}:10:20: tests[0].turns[0].expect[0].sayz is not a known field`,
    `${file}:10:37: tests[0].turns[0].expect[1].interrupted must be one of agent, user, nobody`,
    `${file}:10:61: tests[0].turns[0].expect[2].says must be a valid regular expression`,
  ])
  const other = await testFile(
    'nobody.test.yaml',
    'agent: nobody\ntests: [{ name: a, turns: [{ user: Hello }] }]\n',
  )
  const nobody = await parleyTest(other)
  expect([nobody.code, nobody.stderr]).toEqual([
    2,
    expect.stringContaining('agent is nobody, and this agent was not found'),
  ])
  expect(await parleyTest(join(folders.tests, '*.nowhere.yaml'))).toMatchObject({ code: 2 })
  expect(await parleyTest(other, '--record', 'x')).toMatchObject({ code: 2 })
  expect(model.count()).toBe(before)
})

const voiceTests = (agent: string) => `agent: ${agent}
defaults: { channel: voice, timeoutSeconds: 60 }
tests:
  - name: leaves the user the last word
    turns:
      - { user: When are you open?, expect: [{ says: nine to five }, { means: { text: When we are open. } }, { interrupted: nobody }] }
      - { user: Stop!, bargeInAfterMs: 400, expect: [{ interrupted: agent }, { withinMs: 5000 }] }
`

test('a polite voice agent stops when the user speaks, and one that talks over the user is caught [KIT-5]', async () => {
  const files = [
    await testFile('polite.test.yaml', voiceTests('polite')),
    await testFile('talks-over.test.yaml', voiceTests('talks-over')),
  ]
  const { code, report } = await ownTest(files, { parallelVoice: 2 })
  expect(report.tests.map(({ agent, verdict }) => [agent, verdict])).toEqual([
    ['polite', 'passed'],
    ['talks-over', 'failed'],
  ])
  expect(missedExpectations(report)).toEqual({ 'talks-over': ['interrupted'] })
  expect(code).toBe(1)
}, 180_000)

test('an interruption ends running tests, reports finished ones and closes the service [KIT-9]', async () => {
  const file = await testFile('interrupted.test.yaml', shopTests('slow', { repeat: 2 }))
  const interruption = new AbortController()
  const before = model.count()
  let isClosed = false
  const ended = ownTest(
    [file],
    { parallel: 1 },
    {
      interruption: interruption.signal,
      onClose: () => {
        isClosed = true
      },
    },
  )
  await expect.poll(() => model.count(), { timeout: 60_000, interval: 20 }).toBeGreaterThan(before)
  interruption.abort()
  const { code, report } = await ended
  expect([code, isClosed, report.ok]).toEqual([2, true, false])
})

test('a recorded run replays 20 times with the same verdict, without a provider and without stored secrets [KIT-7]', async () => {
  const text = (agent: string, repeat: number) => `agent: ${agent}
defaults: { repeat: ${repeat}, pass: 1 }
tools: { find_order: { output: { status: sent } } }
tests:
  - name: finds an order
    turns: [{ user: Where is order 4711?, expect: [{ calls: { find_order: { number: '4711' } } }, { says: on its way }] }]
`
  const folder = join(folders.tests, 'recording')
  const files = async (good: number, wrong: number) => [
    await testFile('recorded-good.test.yaml', text('finder', good)),
    await testFile('recorded-wrong.test.yaml', text('bad-finder', wrong)),
    await testFile('recorded-voice.test.yaml', voiceTests('polite')),
  ]
  const verdictsOf = ({ tests }: Report) =>
    tests.map(({ runs }) => [...new Set(runs.map(({ kind, misses }) => JSON.stringify([kind, misses])))])
  const recorded = await ownTest(await files(1, 1), { record: folder })
  expect(recorded.report.tests.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'failed'])
  const names = await readdir(folder)
  expect(names).toHaveLength(3)
  for (const name of await readdir(folder, { recursive: true }))
    if (name.endsWith('.jsonl')) expect(await readFile(join(folder, name), 'utf8')).not.toContain(shopKey)

  // Each run replays its own folder, so the recording is copied for each of them.
  for (const name of names.filter((each) => each.endsWith('-shop')))
    for (let run = 2; run <= 20; run += 1)
      await cp(join(folder, name), join(folder, name.replace(/-1-shop$/, `-${run}-shop`)), {
        recursive: true,
      })
  await Promise.all([model.close(), voice.close()])
  const asked = model.count()
  const replayed = await ownTest(await files(20, 5), { replay: folder, parallel: 8 })
  expect(verdictsOf(replayed.report)).toEqual(verdictsOf(recorded.report))
  expect(replayed.report.tests.map(({ runs }) => runs.length)).toEqual([20, 1, 5])
  expect([replayed.code, replayed.stderr.includes('Differs from the recording')]).toEqual([1, false])
  expect(model.count()).toBe(asked)
}, 240_000)
