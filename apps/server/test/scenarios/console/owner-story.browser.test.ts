import type { Page as Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#server/adapters/system/clock.js'
import { operatorCaller } from '#server/domain/operator/operator-act.js'
import { addOwnerLink, linkOf } from '#server/domain/people/members.js'
import { putIntoMicrophone } from '../../support/browser/browser.js'
import { listenToSpeaker } from '../../support/browser/loudest-sound.js'
import { type OpenConsole, openConsole } from '../../support/console/open-console.js'
import { password } from '../../support/people/signed-in.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { makePerson, wireRate } from '../../support/speech/person.js'
import { SpokenSession } from '../../support/speech/spoken-session.js'
import { type RunningService, startService } from '../../support/start-service.js'

/** Speech is synthesized and recognized during the test, while the machine has other work. */
const timeout = 90_000
const recognitionPatience = { timeout: 60_000, interval: 100 }

let running: RunningService
let tools: ScriptedHttpServer
let console: OpenConsole
let page: Browser
const person = makePerson()

beforeAll(async () => {
  tools = await startScriptedHttpServer()
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  console = await openConsole(running, { initScript: listenToSpeaker })
  page = console.page
})

afterAll(async () => {
  await running.close()
  await tools.close()
})

async function ownerLink(): Promise<string> {
  const caller = operatorCaller(running.organizationId, { name: 'root' })
  const token = await running.service.database.transaction((stores) =>
    addOwnerLink(systemClock, { stores, caller }),
  )
  return linkOf(running.url, 'owner', token)
}

describe('the first owner', { timeout }, () => {
  test('creates an account by the link, and an API key that works [CNS-1]', async () => {
    await page.goto(await ownerLink())
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Name').fill('Ada')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'New API key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('web shop, production')
    await page.getByRole('button', { name: 'Create API key' }).click()
    const key = await page.locator('[data-copy="new key"]').innerText()
    const headers = { 'x-org-id': running.organizationId, 'x-api-key': key }
    expect((await fetch(`${running.url}/api/v1/Agent`, { headers })).status).toBe(200)
  })

  test('creates an agent with a tool that needs approval [CNS-1]', async () => {
    await page.getByRole('link', { name: 'Agents', exact: true }).click()
    await page
      .getByRole('button', { name: 'New agent' })
      .or(page.getByRole('link', { name: 'New agent' }))
      .first()
      .click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Orders')
    await page.getByLabel('Instructions').fill('You help visitors.')
    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByRole('button', { name: 'New tool' }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('cancel_order')
    await drawer
      .getByRole('textbox', { name: 'Description' })
      .first()
      .fill('Cancels an order of the customer.')
    await drawer.getByRole('combobox', { name: 'Method' }).click()
    await page.getByRole('option', { name: 'DELETE' }).click()
    await drawer.getByRole('textbox', { name: 'URL', exact: true }).fill(`${tools.url}/orders/{order_number}`)
    await drawer.getByRole('button', { name: 'Add parameter', exact: true }).click()
    await drawer.getByRole('textbox', { name: 'Parameter 1 name' }).fill('order_number')
    await drawer.getByRole('checkbox', { name: 'Required' }).check()
    await drawer.getByLabel('Require approval').check()
    expect(await drawer.getByRole('combobox', { name: 'Approver' }).inputValue()).toBe('Staff')
    await drawer.getByRole('button', { name: 'Add tool' }).click()
    await page.getByRole('button', { name: /^(Create|Save)/ }).click()
    await expect
      .poll(() => agentTools(), patiently)
      .toMatchObject([{ name: 'cancel_order', approvalRequired: true, approvedBy: 'staff' }])
  })

  test('speaks to it, approves with a click, hears the answer, types, and finds it all again [CNS-1]', {
    timeout,
  }, async () => {
    await warmUp()
    const cancelled = tools.expect('DELETE /orders/35', { body: { message: 'The order was cancelled.' } })
    const question = await person.speak('Cancel order number thirty five.', 'ballad')
    await putIntoMicrophone(Buffer.concat([question, Buffer.alloc(wireRate * 2 * 60)]), wireRate)
    await page.getByRole('link', { name: 'Playground', exact: true }).click()
    await page.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: 'Orders' }).click()
    await page.getByRole('button', { name: 'Talk' }).first().click()
    await page
      .getByText(/cancel order number/i)
      .first()
      .waitFor(recognitionPatience)
    await page.getByRole('button', { name: /^Approve/ }).click(recognitionPatience)
    await cancelled
    await page.getByText(/by you, signed in/).waitFor(recognitionPatience)
    await page
      .getByText(/order was cancelled/i)
      .last()
      .waitFor(recognitionPatience)
    await expect.poll(() => page.evaluate<number>('loudest'), recognitionPatience).toBeGreaterThan(0.05)

    await page.getByRole('textbox', { name: 'Message' }).fill('Thank you')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Thank you').first().waitFor(recognitionPatience)
    await page.getByRole('button', { name: 'End', exact: true }).click()
    await page.reload()
    for (const words of [/cancel order number/i, /order was cancelled/i, /Thank you/])
      await page.getByText(words).first().waitFor(recognitionPatience)
    expect(console.pageErrors).toEqual([])
  })
})

/** A speech engine that is still loading hears the user late, and a page sends only the last five seconds. */
async function warmUp(): Promise<void> {
  const { body } = await running.client.call<{ items: readonly { id: string }[] }>('GET', '/api/v1/Agent')
  const session = await SpokenSession.open(running, body.items.at(-1)?.id ?? '')
  await session.say(await person.speak('How are you today?', 'alloy'))
  await session.hearAnswer()
  await session.close()
}

async function agentTools(): Promise<unknown> {
  const { body } = await running.client.call<{ items: readonly { name: string; tools: unknown }[] }>(
    'GET',
    '/api/v1/Agent',
  )
  return body.items.find(({ name }) => name === 'Orders')?.tools
}
