import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAccessibilityIssues } from '../../support/browser/accessibility-issues.js'
import { putIntoMicrophone } from '../../support/browser/browser.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { patiently, sessionsOf, spoke } from '../../support/realtime/spoken-turns.js'
import { makeToolAgent, playCalls } from '../../support/realtime/tool-calls.js'
import { approveWaiting, refundCall, refundTool } from '../../support/realtime/waiting-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { acceptSession } from '../../support/sdk/scripted-voice.js'
import { bundleForPages, openVoicePage } from '../../support/sdk/voice-page.js'

const rate = 48_000
/** Ten runs of axe, in a browser that shares the machine with other tests. */
const timeout = 60_000

let running: RealtimeTestService
let tools: ScriptedHttpServer

beforeAll(async () => {
  await bundleForPages()
  running = await startRealtimeService()
  tools = await startScriptedHttpServer()
})

afterAll(async () => {
  await running.close()
  await tools.close()
})

describe('the files of the SDK', () => {
  test.each(['parley-agent.js', 'realtime.js', 'audio.worklet.js'])(
    'the service offers %s to pages of every origin [SDK-35]',
    async (name) => {
      const url = `${running.url}/sdk/v1/${name}`
      const answer = await fetch(url, { headers: { origin: 'https://example.com' } })
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'content-encoding': 'gzip',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, no-cache',
        vary: 'accept-encoding',
      })
      const etag = answer.headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[\w-]{22}-gzip"$/)
      const known = await fetch(url, { headers: { 'if-none-match': `"other", ${etag}` } })
      expect([known.status, await known.text()]).toEqual([304, ''])
      const plain = await fetch(url, { headers: { 'accept-encoding': 'gzip;q=0, identity' } })
      expect([plain.headers.get('content-encoding'), plain.headers.get('etag')]).toEqual([
        null,
        etag.replace('-gzip', ''),
      ])
      expect(await plain.text()).toBe(await answer.text())
    },
  )

  test('the service offers no other file of the package [SDK-35]', async () => {
    expect((await fetch(`${running.url}/sdk/v1/index.js`)).status).toBe(404)
    expect((await fetch(`${running.url}/sdk/v1/..%2f..%2fpackage.json`)).status).toBe(404)
  })
})

/** Returns the accessibility violations in both themes. */
async function seriousFaults(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await findAccessibilityIssues(page, { part: 'parley-agent', rules: 'all' })
  await page.emulateMedia({ colorScheme: 'dark' })
  // Violations that do not depend on colors are the same in both themes.
  return [...light, ...(await findAccessibilityIssues(page, { part: 'parley-agent', rules: 'colors' }))]
}

/** Returns the different shapes of the waveform within this many draws. */
const figuresOf = (page: Page, draws: number) =>
  page.evaluate<string[]>(`new Promise((resolve) => {
    const path = document.querySelector('parley-agent').shadowRoot.querySelector('svg path')
    const figures = []
    new MutationObserver((_, observer) => {
      figures.push(path.getAttribute('d'))
      if (figures.length < ${draws}) return
      observer.disconnect()
      resolve([...new Set(figures)])
    }).observe(path, { attributes: true })
  })`)

const tone = () =>
  Buffer.from(
    Int16Array.from({ length: rate * 20 }, (_, place) => 9000 * Math.sin(place / 9) * Math.sin(place / 9000))
      .buffer,
  )

test('one script tag from the service works in a page of another origin under a strict policy [SDK-35] [SDK-36]', {
  timeout,
}, async () => {
  await putIntoMicrophone(tone(), rate)
  const agentId = await makeToolAgent(running, { tools: [refundTool(tools)] })
  const socketUrl = running.url.replace('http', 'ws')
  const page = await openVoicePage(running, {
    agentId,
    policy: `default-src 'none'; script-src ${running.url}; connect-src 'self' ${socketUrl} ${running.url}; require-trusted-types-for 'script'`,
    body: `<h1>Shop</h1><script type="module" src="${running.url}/sdk/v1/parley-agent.js"></script>
      <parley-agent ticket-url="/session">
        <b slot="button">Ask us</b><h2 slot="header">Refunds</h2><p slot="empty">Say what you want back.</p>
      </parley-agent>`,
  })
  await page.evaluate(`globalThis.violations = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective))`)
  expect(await seriousFaults(page)).toEqual([])

  await page.getByRole('button', { name: 'Ask us' }).click()
  await page.getByText('Connecting…').waitFor()
  expect(await page.getByText('Say what you want back.').isVisible()).toBe(true)
  expect(await page.getByRole('heading', { name: 'Refunds' }).isVisible()).toBe(true)
  expect(await seriousFaults(page)).toEqual([])

  const provider = await acceptSession(running)
  await page.getByText('Listening').waitFor()
  provider.send(spoke('a', 'Good morning'))
  await page.getByText('Good morning').waitFor()
  expect(await page.getByText('Say what you want back.').isVisible()).toBe(false)
  expect((await figuresOf(page, 6)).length).toBe(6)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect((await figuresOf(page, 8)).length).toBeLessThanOrEqual(2)
  expect(await seriousFaults(page)).toEqual([])

  playCalls(provider, 'r', [refundCall('c1')])
  tools.expect('POST /refund', { body: 'Paid.' })
  await page.getByRole('group', { name: 'Approve “Refund”?' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.locator('summary', { hasText: 'Refund' }).click()
  await page.getByText('Paid.').waitFor()
  expect(await seriousFaults(page)).toEqual([])

  const conversationId = await page.evaluate<string>(
    "document.querySelector('parley-agent').voice.getState().conversationId",
  )
  const [session] = await sessionsOf(running.client, conversationId)
  await running.client.call('DELETE', `/api/v1/RealtimeSession/${session?.id}`)
  await expect.poll(() => page.getByText('ended by an operator').count(), patiently).toBe(1)
  expect(await seriousFaults(page)).toEqual([])
  expect(await page.evaluate('violations')).toEqual([])
  tools.verify()
})

test('a visitor sees that a colleague decides and has no buttons [APR-8]', { timeout }, async () => {
  await putIntoMicrophone(tone(), rate)
  const agentId = await makeToolAgent(running, { tools: [refundTool(tools, { approvedBy: 'staff' })] })
  const page = await openVoicePage(running, {
    agentId,
    body: `<h1>Shop</h1><script type="module" src="${running.url}/sdk/v1/parley-agent.js"></script>
      <parley-agent ticket-url="/session"></parley-agent>`,
  })
  await page.getByRole('button', { name: 'Talk' }).click()
  const provider = await acceptSession(running)
  playCalls(provider, 'r', [refundCall('c2')])
  await page.getByRole('group', { name: 'Refund' }).getByText('Waiting for approval').waitFor()
  expect(await page.getByRole('button').allInnerTexts()).toEqual(['End', 'Mute', 'Send'])
  expect(await seriousFaults(page)).toEqual([])
  tools.expect('POST /refund', { body: 'Paid.' })
  await approveWaiting(running.client)
  await page.locator('summary', { hasText: 'Refund' }).click()
  await page.getByText('Paid.').waitFor()
  tools.verify()
})
