import type { PriceList } from '@parley/contract'
import type { Page as Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Inspection, makeInspection } from '../../support/console/inspection.js'
import { type OpenConsole, openConsole } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { ask } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const service = useQuestionService()
/** Other tests use the machine at the same time. */
const timeout = 60_000

let agentId: string
let console: OpenConsole
let page: Browser
let inspection: Inspection

beforeAll(async () => {
  agentId = await service.makeAgent({ name: 'Blue Hotel desk' })
  console = await openConsole(service.running, { as: await signedIn(service.running, 'owner') })
  page = console.page
  inspection = makeInspection(console)
}, timeout)

/** Checks the open drawer, or another part of the page, in both themes. */
async function expectNoBarriers(part = '[role=dialog]'): Promise<void> {
  await inspection.inspect(part, part)
  expect(inspection.found[part]).toEqual([])
}

async function askDesk() {
  service.model.answer({ text: 'From seven to ten.', usage: { inputTokens: 1200, outputTokens: 34 } })
  return ask(service.running, agentId, { question: 'When is breakfast?' })
}

/** Changes the edited price and another one over the API while the form has unsaved input. */
async function changePriceConcurrently(): Promise<void> {
  const { client } = service.running
  const own = { kind: 'openai-compatible', model: 'a-text-model' }
  const changed = { ...own, perMillion: { textInput: 2000, textOutput: 10_000 } }
  const another = { kind: 'openai', model: 'gpt-other', perMillion: { textInput: 7 } }
  const stored = async () =>
    (await client.call<PriceList>('GET', '/api/v1/Price')).body.items.map(
      ({ perMillion }) => perMillion.textInput,
    )
  await page.getByRole('row', { name: /a-text-model/ }).click()
  const form = page.getByRole('dialog', { name: 'a-text-model' })
  await form.getByRole('textbox', { name: 'Text input', exact: true }).fill('1000')
  await client.call('PUT', '/api/v1/Price', { body: { items: [changed, another] } })
  const save = form.getByRole('button', { name: 'Save price' })
  await save.click()
  await form
    .getByRole('alert')
    .getByText('Another user changed the price of a-text-model: Text input $2,000.00')
    .waitFor()
  expect(await stored()).toEqual([7, 2000])
  await save.click()
  await page.getByRole('row', { name: /a-text-model.*\$1,000\.00/ }).waitFor()
  expect(await stored()).toEqual([7, 1000])
}

describe('an organization owner', { timeout }, () => {
  test('creates a webhook, sees its secret once, and sends a test event [CNS-40]', async () => {
    await console.show('/organization/webhooks', 'Webhooks')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('Booking system')
    await form.getByRole('textbox', { name: 'URL' }).fill(`${service.tools.url}/told`)
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await form.getByText('Select at least one event').waitFor()
    await form.getByRole('checkbox', { name: 'Tasks', exact: true }).check()
    await form.getByRole('checkbox', { name: /task\.updated/ }).uncheck()
    await expectNoBarriers()
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const secret = await page.locator('[data-copy="new secret"]').innerText()
    expect(secret).toMatch(/^whsec_/)
    await page.reload()
    await page.getByRole('row', { name: /Booking system/ }).click()
    await page.getByText('task.created, task.run.started, task.run.ended').waitFor()
    expect(await page.getByText(secret).count()).toBe(0)

    void service.tools.expect('POST /told', { status: 503, body: 'Back in ten minutes.' })
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText('Test event failed').waitFor()
    await page.getByText('Back in ten minutes.').first().waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByText(/Both secrets are valid for a day/).waitFor()
    expect(await page.locator('[data-copy="new secret"]').innerText()).not.toBe(secret)
  })

  test('finds a delivery in the log and resends it [CNS-41]', async () => {
    const delivered = service.tools.expect('POST /told', { status: 204 })
    await service.running.client.call('POST', '/api/v1/Task', { body: { title: 'Water the plants' } })
    const first = await delivered
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Delivered' }).click()
    await page.getByRole('row', { name: /task\.created/ }).click()
    const delivery = page.getByRole('dialog')
    await delivery.getByText('Water the plants').waitFor()
    await delivery.getByText(/Response 204/).waitFor()
    await expectNoBarriers()
    const again = service.tools.expect('POST /told', { status: 200, body: { seen: true } })
    await delivery.getByRole('button', { name: 'Resend' }).click()
    expect((await again).headers['webhook-id']).toBe(first.headers['webhook-id'])
    await delivery.getByText(/Response 200/).waitFor()
    await page.keyboard.press('Escape')

    const all = service.tools.expect('POST /told', { status: 204 })
    await page.getByRole('button', { name: 'Resend events…' }).click()
    await page.getByRole('radio', { name: 'All deliveries' }).check()
    const redelivered = service.tools.expect('POST /told', { status: 204 })
    await page.getByRole('dialog').getByRole('button', { name: 'Resend', exact: true }).click()
    await page.getByText('2 deliveries resent.').waitFor()
    await Promise.all([all, redelivered])
  })

  test('sees the usage of a question, and its cost once there is a price [CNS-42] [CNS-43] [CNS-48]', async () => {
    const { body } = await askDesk()
    await console.show('/organization/usage?by=agent', 'Usage')
    await page.getByText('1,234', { exact: true }).waitFor()
    await page.getByText(/1,234 tokens have no price/).waitFor()
    await page.getByText('Model time').first().waitFor()
    await page.getByRole('region', { name: 'Cost by day' }).getByText('No priced usage').waitFor()
    await page.getByRole('row', { name: /Blue Hotel desk unknown cost 1,200 34/ }).waitFor()

    await page.getByRole('link', { name: 'Set prices' }).click()
    await page.getByRole('button', { name: 'Set price of a-text-model' }).click()
    await page.getByRole('textbox', { name: 'Text input', exact: true }).fill('900')
    await page.getByRole('textbox', { name: 'Text output', exact: true }).fill('10000')
    await expectNoBarriers()
    await page.getByRole('button', { name: 'Save price' }).click()
    await page.getByRole('row', { name: /a-text-model.*\$900\.00/ }).waitFor()
    await changePriceConcurrently()
    await page.getByRole('tab', { name: 'Built-in' }).click()
    await page.getByRole('textbox', { name: 'Search models' }).fill('gpt-4.1-mini')
    await page
      .getByRole('row', { name: /gpt-4\.1-mini OpenAI \$0\.40/ })
      .first()
      .waitFor()

    await console.show('/organization/usage?by=model', 'Usage')
    await page.getByRole('row', { name: /a-text-model unknown cost/ }).waitFor()
    await askDesk()
    // The page was not reloaded.
    await page.getByRole('row', { name: /a-text-model at least \$1\.54/ }).waitFor()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    expect((await file).suggestedFilename()).toBe('usage-by-model.csv')
    await console.show(`/conversations/${body.conversationId}`, /./)
    await page.getByText('1200 input tokens, 34 output tokens, unknown cost').waitFor()
  })

  test('sees that a budget limit is reached, and when it resets [CNS-44] [CNS-48]', async () => {
    await console.show('/organization/budgets', 'Budgets')
    await page.getByRole('button', { name: 'New budget' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('The desk')
    await form.getByRole('radio', { name: 'Agent' }).check()
    await form.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: 'Blue Hotel desk' }).click()
    await form.getByRole('textbox', { name: 'Limit' }).fill('2')
    await expectNoBarriers()
    await form.getByRole('button', { name: 'Create budget' }).click()
    const row = (words: string) =>
      page.getByRole('row', { name: new RegExp(`The desk Blue Hotel desk at least ${words}`) })
    await row('\\$1\\.54 of \\$2\\.00 per month.*Within limit').waitFor()
    await askDesk()
    await row('\\$3\\.08 of \\$2\\.00 per month.*Limit reached').waitFor()
    await page.getByText(/New sessions, questions and task runs are rejected/).waitFor()
    await expectNoBarriers('[role=alert]')
    const refused = await ask(service.running, agentId, { question: 'And lunch?' })
    expect(refused.body).toMatchObject({ errorCode: 'BudgetExceeded', budget: { name: 'The desk' } })
    expect(console.pageErrors).toEqual([])
  })
})
