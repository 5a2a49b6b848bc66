import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Agent } from '@parley/contract'
import { resampleClip, samplesFromBytes, toWav } from '@parley/engine'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { putIntoMicrophone } from '../../support/browser/browser.js'
import { serveDocumentedPage } from '../../support/browser/documented-page.js'
import { listenToPage, waitForSound } from '../../support/browser/heard-sound.js'
import { visit } from '../../support/browser/visit.js'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { startBackend } from '../../support/process/backend-process.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import { approveWaiting } from '../../support/realtime/waiting-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { bundleForPages } from '../../support/sdk/voice-page.js'
import { frontDeskTools } from '../../support/speech/front-desk.js'
import { makePerson, type Person, wireRate } from '../../support/speech/person.js'
import { silenceOf } from '../../support/speech/spoken-session.js'
import { plainWords } from '../../support/speech/words.js'
import { type RunningService, startService } from '../../support/start-service.js'

/** Recognition takes long, and the machine may run other tests. */
const timeout = 90_000
const deviceRate = 48_000
/** Minimum of the loudest sample. The maximum is 1. */
const audible = 0.05
const question = 'Please book a table for four people.'
const examples = new URL('../../../../../examples/', import.meta.url)

let running: RunningService
let tools: ScriptedHttpServer
let person: Person
let agentId: string
let env: Readonly<Record<string, string | undefined>>

beforeAll(async () => {
  person = makePerson()
  tools = await startScriptedHttpServer()
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  const body = { name: 'Desk', systemMessage: 'You help visitors.', tools: frontDeskTools(tools.url) }
  const agent = await running.client.call<Agent>('POST', '/api/v1/Agent', { body })
  agentId = agent.body.id
  env = {
    ...process.env,
    PARLEY_URL: running.url,
    PARLEY_ORG_ID: running.organizationId,
    PARLEY_API_KEY: running.apiKey,
    PARLEY_AGENT_ID: agentId,
    PORT: '0',
  }
  await bundleForPages()
})

afterEach(() => tools.verify())

afterAll(async () => {
  await running.close()
  await tools.close()
})

function startExample(path: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(new URL(path, examples)), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  closeAfterwards(() => child.kill())
  return child
}

/** Returns everything that it prints, once it has ended. */
async function outputOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The example has no output to read.')
  return text(child.stdout)
}

/**
 * Records the loudest sample of the output. It needs no worklet, because the page's policy would reject one.
 */
const listenToSpeaker = `
globalThis.loudest = 0
const connect = AudioNode.prototype.connect
AudioNode.prototype.connect = function (target, ...rest) {
  if (target instanceof AudioDestinationNode) {
    const analyser = this.context.createAnalyser()
    const samples = new Float32Array(analyser.fftSize)
    setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample))
    }, 20)
    connect.call(this, analyser)
  }
  return connect.call(this, target, ...rest)
}`

const wordsOn = async (page: Page) =>
  plainWords((await page.locator('#words').innerText()).replaceAll('\n', ' '))

// The script comes first, because an engine that loads its models beside a browser would share two cores
// with it.
describe('the examples with the built-in engine', () => {
  test('a script talks from a WAV file: question, approval, answer and typing [SDK-33]', {
    timeout,
  }, async () => {
    tools.expect('POST /tables', { body: { message: 'Your table is by the window.' } })
    tools.expect('GET /weather/Paris', { body: { summary: 'It is sunny and warm.' } })
    const folder = await mkdtemp(join(tmpdir(), 'parley-example-'))
    closeAfterwards(() => rm(folder, { recursive: true }))
    const file = join(folder, 'question.wav')
    const samples = samplesFromBytes(await person.speak(question, 'ash'))
    await writeFile(file, toWav({ samples, rate: wireRate }))
    const child = startExample('node/talk-from-wav.mjs', file, 'What is the weather in Paris?')
    const output = await outputOf(child)
    expect(output).toMatch(/^user: .*table for four people/im)
    expect(output).toContain('approved: book_table')
    expect(output).toMatch(/^assistant: .*by the window/im)
    expect(output).toMatch(/^assistant: .*sunny and warm/im)
    const [, seconds, loudest] = /sound: ([\d.]+) s, loudest ([\d.]+)/.exec(output) ?? []
    expect(Number(seconds)).toBeGreaterThan(1)
    expect(Number(loudest)).toBeGreaterThan(audible)
  })

  test('a page works with a spoken question, approval by staff, answer and typing [SDK-33]', {
    timeout,
  }, async () => {
    tools.expect('POST /tables', { body: { message: 'Your table is by the window.' } })
    tools.expect('GET /weather/Paris', { body: { summary: 'It is sunny and warm.' } })
    const spoken = samplesFromBytes(await person.speak(question, 'ash'))
    const sound = resampleClip({ samples: spoken, rate: wireRate }, deviceRate)
    const lead = Buffer.alloc(deviceRate * 2 * 1.5)
    const room = Buffer.alloc(deviceRate * 2 * 60)
    await putIntoMicrophone(
      Buffer.concat([lead, Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength), room]),
      deviceRate,
    )
    const address = await startBackend(fileURLToPath(new URL('page/backend.mjs', examples)), env)
    const { page, pageErrors } = await visit(address, listenToSpeaker)
    const tickets = page.waitForResponse('**/session')
    await page.getByRole('button', { name: 'Talk' }).click()
    await page.getByText('book_table: waiting for approval').waitFor({ timeout })
    await approveWaiting(running.client)
    await expect.poll(() => wordsOn(page), { timeout }).toContain('your table is by the window')
    expect(await wordsOn(page)).toContain('book a table for four people')
    await expect.poll(() => page.evaluate<number>('loudest'), { timeout }).toBeGreaterThan(audible)

    await page.getByRole('textbox').fill('What is the weather in Paris?')
    await page.getByRole('textbox').press('Enter')
    await expect.poll(() => wordsOn(page), { timeout }).toContain('sunny and warm')
    const { webSocketPath } = (await (await tickets).json()) as { webSocketPath: string }
    const conversationId = new URL(webSocketPath).searchParams.get('conversationId') ?? ''
    const stored = await messagesOf(running.client, conversationId)
    expect(stored.filter(({ role }) => role === 'user')).toHaveLength(2)
    expect(pageErrors).toEqual([])
  })
})

test('the page of examples/websocket works with speech, approval and sound [DOC-5]', {
  timeout,
}, async () => {
  const spoken = await person.speak(question, 'ash')
  await putIntoMicrophone(Buffer.concat([silenceOf(1000), spoken, silenceOf(30_000)]), wireRate)
  const booked = tools.expect('POST /tables', { body: { message: 'Your table is by the window.' } })

  const { page, pageErrors } = await visit(await serveDocumentedPage(running, agentId), listenToPage)
  await page.getByRole('button', { name: 'Talk' }).click()
  await page.getByText(/^You: .*book a table/i).waitFor()
  await page.getByText(/book_table .*people/).waitFor()
  await page.getByText('waiting for approval').waitFor()
  expect(await page.getByRole('button', { name: 'approve' }).count()).toBe(0)
  await approveWaiting(running.client)
  expect(JSON.parse((await booked).body)).toEqual({ people: 4 })
  await page.getByText(/^Agent: .*by the window/i).waitFor()
  await waitForSound(page, 'peak > 0.05')
  expect(pageErrors).toEqual([])
})
