import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ParleyProvider, useApprovals, useCalls, useLevel, useTranscript, useVoice } from '@parley/sdk/react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { rolldown } from 'rolldown'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newVisitor, putIntoMicrophone } from '../../support/browser/browser.js'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { startBackend } from '../../support/process/backend-process.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently, spoke } from '../../support/realtime/spoken-turns.js'
import { makeToolAgent, playCalls } from '../../support/realtime/tool-calls.js'
import { approveWaiting, refundCall, refundTool } from '../../support/realtime/waiting-calls.js'
import { startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { acceptSession } from '../../support/sdk/scripted-voice.js'
import { bundleForPages, openVoicePage } from '../../support/sdk/voice-page.js'

const examples = new URL('../../../../../examples/', import.meta.url)
const example = fileURLToPath(new URL('react', examples))
/** A build takes long, and the machine may run other tests. */
const timeout = 60_000
const until = (what: () => unknown) => expect.poll(what, patiently)

let running: RealtimeTestService

beforeAll(async () => {
  await bundleForPages()
  running = await startRealtimeService()
  await putIntoMicrophone(Buffer.alloc(24_000 * 60), 24_000)
})

afterAll(() => running.close())

describe('React', () => {
  test('renders on a server and opens nothing there [SDK-37]', () => {
    const Everything = () => {
      const { phase, voice } = useVoice()
      const counts = [useTranscript(), useApprovals(), useCalls()].map(({ length }) => length)
      return createElement('p', null, [phase, voice, ...counts, useLevel().input].join(' '))
    }
    const ticket = () => {
      throw new Error('A server asked for a ticket.')
    }
    const html = renderToString(createElement(ParleyProvider, { ticket }, createElement(Everything)))
    expect(html).toBe('<p>idle  0 0 0 0</p>')
    expect(() => renderToString(createElement(Everything))).toThrow('<ParleyProvider>')
  })

  test('has one session under StrictMode, and nothing open after the unmount [SDK-37]', async () => {
    const page = await openVoicePage(running, { scripts: { 'strict-app.js': await bundleStrictApp() } })
    await page.evaluate(`{
      globalThis.contexts = []
      const Native = AudioContext
      globalThis.AudioContext = class extends Native {
        constructor(...args) { super(...args); contexts.push(this) }
      }
      globalThis.tickets = 0
      const ticket = (request) => { tickets += 1; return takeTicket(request) }
      import('/strict-app.js').then(() => mount({ ticket, url: ${JSON.stringify(running.url)} }))
    }`)
    const provider = await acceptSession(running)
    await page.getByText('listening').waitFor()
    const [rendered] = await page.evaluate<number[]>('[renders.status, renders.words]')
    provider.send(spoke('a', 'Good '))
    provider.send(spoke('a', 'morning'))
    await page.getByText('Good morning').waitFor()
    expect(await page.evaluate('[tickets, contexts.length, renders.status]')).toEqual([1, 1, rendered])
    expect(running.provider.openCount).toBe(1)

    await page.evaluate('unmount()')
    await provider.inbox.closed
    await until(() => page.evaluate('contexts[0].state')).toBe('closed')
    await until(() => running.provider.openCount).toBe(0)
    expect(await page.evaluate('tickets')).toBe(1)
  })
})

test('the example with React and Vite runs: words, a decision, typing and the end [SDK-33]', {
  timeout,
}, async () => {
  const tools = await startScriptedHttpServer()
  const agentId = await makeToolAgent(running, { tools: [refundTool(tools)] })
  const page = await (await newVisitor()).newPage()
  await page.goto(await showExample(await startExampleBackend(agentId)))
  await page.getByRole('button', { name: 'Talk' }).click()
  const provider = await acceptSession(running)
  await page.getByText('listening').waitFor()
  provider.send(spoke('a', 'Good morning'))
  await page.getByText('assistant: Good morning').waitFor()
  playCalls(provider, 'r', [refundCall('c1')])
  await page.getByRole('group', { name: 'Approve “Refund”?' }).getByText('Waiting for approval').waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  tools.expect('POST /refund', { body: 'Paid.' })
  await approveWaiting(running.client)
  await provider.inbox.takeType('conversation.item.create')
  await page.getByRole('textbox').fill('Thank you')
  await page.getByRole('textbox').press('Enter')
  await page.getByText('user: Thank you').waitFor()
  await page.getByRole('button', { name: 'End' }).click()
  await page.getByText('Session ended.').waitFor()
  await provider.inbox.closed
  await tools.close()
})

test('the example with React has fewer than 100 lines [SDK-33]', () => {
  const files = readdirSync(example).filter((name) => name !== 'README.md')
  const lines = files.flatMap((name) => readFileSync(join(example, name), 'utf8').split('\n'))
  expect(lines.length).toBeLessThan(100)
})

async function bundleStrictApp(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../../support/sdk/strict-app.mjs', import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return output[0].code
}

/** Builds the example as its users do, and serves it. */
async function showExample(backendUrl: string): Promise<string> {
  const outDir = await mkdtemp(join(inject('runDirectory'), 'react-'))
  const proxy = { '/session': backendUrl }
  const shown = { root: example, logLevel: 'error', build: { outDir } } as const
  await build(shown)
  const server = await preview({ ...shown, preview: { host: '127.0.0.1', port: 0, proxy } })
  closeAfterwards(() => server.close())
  const address = server.httpServer.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
}

/** Starts the example backend that belongs to it. */
function startExampleBackend(agentId: string): Promise<string> {
  return startBackend(fileURLToPath(new URL('node-backend/server.mjs', examples)), {
    PARLEY_URL: running.url,
    PARLEY_ORG_ID: running.organizationId,
    PARLEY_API_KEY: running.apiKey,
    PARLEY_AGENT_ID: agentId,
    PORT: '0',
  })
}
