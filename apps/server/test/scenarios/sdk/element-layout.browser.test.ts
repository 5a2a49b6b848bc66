import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccessibilityIssues } from '../../support/browser/accessibility-issues.js'
import { putIntoMicrophone } from '../../support/browser/browser.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { type ScriptedProvider, startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { responseCreated, responseDone, spoke } from '../../support/realtime/spoken-turns.js'
import { makeToolAgent, playCalls } from '../../support/realtime/tool-calls.js'
import { approveWaiting, refundCall, refundTool } from '../../support/realtime/waiting-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { acceptSession } from '../../support/sdk/scripted-voice.js'
import { bundleForPages, openVoicePage } from '../../support/sdk/voice-page.js'

const timeout = 60_000

let running: RealtimeTestService
let tools: ScriptedHttpServer

beforeAll(async () => {
  await bundleForPages()
  running = await startRealtimeService()
  tools = await startScriptedHttpServer()
  await putIntoMicrophone(Buffer.alloc(48_000 * 2), 48_000)
})

afterAll(async () => {
  await running.close()
  await tools.close()
})

/** Whether something is wider than the panel, or the panel is wider than the page. */
const overflows = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const panel = document.querySelector('parley-agent').shadowRoot.querySelector('section')
    const right = panel.getBoundingClientRect().right
    return right > innerWidth || panel.scrollWidth > panel.clientWidth ||
      [...panel.querySelectorAll('*')].some((part) => part.getBoundingClientRect().right > right + 1)
  })()`)

test('the floating element shows name, picture and starters, and nothing overflows at 280 pixels [SDK-38]', {
  timeout,
}, async () => {
  const agentId = await makeToolAgent(running, { tools: [refundTool(tools, { approvedBy: 'staff' })] })
  const picture = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
  const page = await openVoicePage(running, {
    agentId,
    body: `<h1>Shop</h1><script type="module" src="${running.url}/sdk/v1/parley-agent.js"></script>
      <parley-agent ticket-url="/session" mode="floating" name="Ada" avatar='${picture}'></parley-agent>`,
  })
  await page.setViewportSize({ width: 280, height: 600 })
  await page.evaluate(
    `document.querySelector('parley-agent').questions = ['When is breakfast?', '${'W'.repeat(80)}']`,
  )
  await page.getByRole('button', { name: 'Talk' }).click()
  const provider = await acceptSession(running)
  await page.getByText('Listening').waitFor()
  expect(await page.getByText('Ada').count()).toBe(1)
  expect(await overflows(page)).toBe(false)

  await page.getByRole('button', { name: 'When is breakfast?' }).click()
  await provider.inbox.takeType('response.create')
  provider.send(spoke('a', `From seven: ${'x'.repeat(300)}`))
  await page.getByText('From seven').waitFor()
  expect(await page.getByRole('button', { name: 'When is breakfast?' }).isVisible()).toBe(false)
  expect(await overflows(page)).toBe(false)

  playCalls(provider, 'r', [refundCall('c1')])
  await page.getByText('Waiting for approval').waitFor()
  tools.expect('POST /refund', { body: `{"refunded":true,"note":"${'n'.repeat(400)}"}` })
  await approveWaiting(running.client)
  const result = page.getByText('{"refunded":true')
  await page.getByText('Refund ✓').waitFor()
  expect(await page.locator('details', { hasText: 'Refund' }).getAttribute('open')).toBeNull()
  await page.locator('summary', { hasText: 'Refund' }).click()
  await result.waitFor()
  expect(await overflows(page)).toBe(false)
  expect(await findAccessibilityIssues(page, { part: 'parley-agent', rules: 'all' })).toEqual([])

  await page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.getByText('From seven').isVisible()).toBe(false)
  tools.verify()
})

test('the element shows a notice while another model takes over [SDK-44]', { timeout }, async () => {
  const fallback = await startScriptedProvider()
  const make = async (name: string, { baseUrl }: ScriptedProvider) => {
    const body = { name, kind: 'openai-compatible', baseUrl, apiKey: 'k' }
    return (await running.client.call<{ id: string }>('POST', '/api/v1/Connection', { body })).body.id
  }
  const connectionId = await make('Own', running.provider)
  const realtimeFallbacks = [{ connectionId: await make('Other', fallback) }]
  const agentId = await makeToolAgent(running, { connectionId, realtimeFallbacks })
  const page = await openVoicePage(running, {
    agentId,
    body: `<script type="module" src="${running.url}/sdk/v1/parley-agent.js"></script>
      <parley-agent ticket-url="/session" mode="floating"></parley-agent>`,
  })
  await page.setViewportSize({ width: 280, height: 600 })
  await page.getByRole('button', { name: 'Talk' }).click()
  const provider = await acceptSession(running)
  await page.getByText('Listening').waitFor()
  const notice = page.getByText('The connection was renewed.')
  expect(await notice.isVisible()).toBe(false)
  provider.socket.close(1011)
  const next = await acceptSession({ provider: fallback })
  await notice.waitFor()
  expect(await overflows(page)).toBe(false)
  expect(await findAccessibilityIssues(page, { part: 'parley-agent', rules: 'all' })).toEqual([])
  next.send(responseCreated('response of a'))
  next.send(spoke('a', 'Good morning.'))
  next.send(responseDone('response of a'))
  await notice.waitFor({ state: 'hidden' })
  await page.close()
  await fallback.close()
})
