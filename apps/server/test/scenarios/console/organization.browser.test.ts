import type { PriceList } from '@parley/contract'
import type { Page as Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Inspection, makeInspection } from '../../support/console/inspection.js'
import { type OpenConsole, openConsole } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { ask } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const service = useQuestionService()
/** Browsers share the machine with other tests. */
const timeout = 60_000

let agentId: string
let console: OpenConsole
let page: Browser
let looked: Inspection

beforeAll(async () => {
  agentId = await service.makeAgent({ name: 'Blue Hotel desk' })
  console = await openConsole(service.running, { as: await signedIn(service.running, 'owner') })
  page = console.page
  looked = makeInspection(console)
}, timeout)

/** In both themes, in the form or drawer that is open just now, or another part of the page. */
async function expectNoBarriers(part = '[role=dialog]'): Promise<void> {
  await looked.inspect(part, part)
  expect(looked.found[part]).toEqual([])
}

async function askDesk() {
  service.model.answer({ text: 'From seven to ten.', usage: { inputTokens: 1200, outputTokens: 34 } })
  return ask(service.running, agentId, { question: 'When is breakfast?' })
}

/** The same price, and another one, are changed by somebody else while one writes. */
async function changePriceBesideSomebodyElse(): Promise<void> {
  const { client } = service.running
  const own = { kind: 'openai-compatible', model: 'a-text-model' }
  const theirs = { ...own, perMillion: { textInput: 2000, textOutput: 10_000 } }
  const another = { kind: 'openai', model: 'gpt-other', perMillion: { textInput: 7 } }
  const stored = async () =>
    (await client.call<PriceList>('GET', '/api/v1/Price')).body.items.map(
      ({ perMillion }) => perMillion.textInput,
    )
  await page.getByRole('row', { name: /a-text-model/ }).click()
  const form = page.getByRole('dialog', { name: 'a-text-model' })
  await form.getByRole('textbox', { name: 'Text read', exact: true }).fill('1000')
  await client.call('PUT', '/api/v1/Price', { body: { items: [theirs, another] } })
  const save = form.getByRole('button', { name: 'Save price' })
  await save.click()
  await form
    .getByRole('alert')
    .getByText('Somebody else has changed the price of a-text-model meanwhile: Text read $2,000.00')
    .waitFor()
  expect(await stored()).toEqual([7, 2000])
  await save.click()
  await page.getByRole('row', { name: /a-text-model.*\$1,000\.00/ }).waitFor()
  expect(await stored()).toEqual([7, 1000])
}

describe('the owner of an organization', { timeout }, () => {
  test('adds a webhook, whose secret is seen once, and tries it [CNS-40]', async () => {
    await console.show('/organization/webhooks', 'Webhooks')
    await page.getByRole('button', { name: 'Add a webhook' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('Booking system')
    await form.getByRole('textbox', { name: 'Address' }).fill(`${service.tools.url}/told`)
    await form.getByRole('button', { name: 'Add webhook' }).click()
    await form.getByText('Choose what it is told of').waitFor()
    await form.getByRole('checkbox', { name: 'Tasks', exact: true }).check()
    await form.getByRole('checkbox', { name: /task\.updated/ }).uncheck()
    await expectNoBarriers()
    await form.getByRole('button', { name: 'Add webhook' }).click()
    const secret = await page.locator('[data-copy="new secret"]').innerText()
    expect(secret).toMatch(/^whsec_/)
    await page.reload()
    await page.getByRole('row', { name: /Booking system/ }).click()
    await page.getByText('task.created, task.run.started, task.run.ended').waitFor()
    expect(await page.getByText(secret).count()).toBe(0)

    void service.tools.expect('POST /told', { status: 503, body: 'Back in ten minutes.' })
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByText('It did not arrive').waitFor()
    await page.getByText('Back in ten minutes.').first().waitFor()

    await page.getByRole('button', { name: 'More about this webhook' }).click()
    await page.getByRole('menuitem', { name: 'New secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByText(/Both are valid for a day/).waitFor()
    expect(await page.locator('[data-copy="new secret"]').innerText()).not.toBe(secret)
  })

  test('finds a delivery in the log, and has it delivered again [CNS-41]', async () => {
    const told = service.tools.expect('POST /told', { status: 204 })
    await service.running.client.call('POST', '/api/v1/Task', { body: { title: 'Water the plants' } })
    const first = await told
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Delivered' }).click()
    await page.getByRole('row', { name: /task\.created/ }).click()
    const delivery = page.getByRole('dialog')
    await delivery.getByText('Water the plants').waitFor()
    await delivery.getByText(/Answered 204/).waitFor()
    await expectNoBarriers()
    const again = service.tools.expect('POST /told', { status: 200, body: { seen: true } })
    await delivery.getByRole('button', { name: 'Deliver again' }).click()
    expect((await again).headers['webhook-id']).toBe(first.headers['webhook-id'])
    await delivery.getByText(/Answered 200/).waitFor()
    await page.keyboard.press('Escape')

    const all = service.tools.expect('POST /told', { status: 204 })
    await page.getByRole('button', { name: 'Deliver again since…' }).click()
    await page.getByRole('radio', { name: 'All of it' }).check()
    const redelivered = service.tools.expect('POST /told', { status: 204 })
    await page.getByRole('dialog').getByRole('button', { name: 'Deliver again', exact: true }).click()
    await page.getByText('2 deliveries are sent again.').waitFor()
    await Promise.all([all, redelivered])
  })

  test('sees what a question has used, and what it cost once there is a price [CNS-42] [CNS-43] [CNS-48]', async () => {
    const { body } = await askDesk()
    await console.show('/organization/usage?by=agent', 'Usage')
    await page.getByText('1,234', { exact: true }).waitFor()
    await page.getByText(/1,234 tokens have no price/).waitFor()
    await page.getByRole('row', { name: /Blue Hotel desk unknown price 1,200 34/ }).waitFor()

    await page.getByRole('link', { name: 'Set prices' }).click()
    await page.getByRole('button', { name: 'Set the price of a-text-model' }).click()
    await page.getByRole('textbox', { name: 'Text read', exact: true }).fill('900')
    await page.getByRole('textbox', { name: 'Text written', exact: true }).fill('10000')
    await expectNoBarriers()
    await page.getByRole('button', { name: 'Save price' }).click()
    await page.getByRole('row', { name: /a-text-model.*\$900\.00/ }).waitFor()
    await changePriceBesideSomebodyElse()
    await page.getByRole('tab', { name: 'Come with the service' }).click()
    await page.getByRole('textbox', { name: 'Search models' }).fill('gpt-4.1-mini')
    await page
      .getByRole('row', { name: /gpt-4\.1-mini OpenAI \$0\.40/ })
      .first()
      .waitFor()

    await console.show('/organization/usage?by=model', 'Usage')
    await page.getByRole('row', { name: /a-text-model unknown price/ }).waitFor()
    await askDesk()
    // Nobody has loaded the page again.
    await page.getByRole('row', { name: /a-text-model at least \$1\.54/ }).waitFor()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    expect((await file).suggestedFilename()).toBe('usage-by-model.csv')
    await console.show(`/conversations/${body.conversationId}`, /./)
    await page.getByText('1200 tokens read, 34 written, unknown price').waitFor()
  })

  test('is told that a budget is used up, and until when [CNS-44] [CNS-48]', async () => {
    await console.show('/organization/budgets', 'Budgets')
    await page.getByRole('button', { name: 'New budget' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('The desk')
    await form.getByRole('radio', { name: 'An agent' }).check()
    await form.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: 'Blue Hotel desk' }).click()
    await form.getByRole('textbox', { name: 'Limit' }).fill('2')
    await expectNoBarriers()
    await form.getByRole('button', { name: 'Create budget' }).click()
    const row = (words: string) =>
      page.getByRole('row', { name: new RegExp(`The desk Blue Hotel desk at least ${words}`) })
    await row('\\$1\\.54 of \\$2\\.00 a month.*Room left').waitFor()
    await askDesk()
    await row('\\$3\\.08 of \\$2\\.00 a month.*Used up').waitFor()
    await page.getByText(/New sessions, questions and task runs are refused/).waitFor()
    await expectNoBarriers('[role=alert]')
    const refused = await ask(service.running, agentId, { question: 'And lunch?' })
    expect(refused.body).toMatchObject({ errorCode: 'BudgetExceeded', budget: { name: 'The desk' } })
    expect(console.troubles).toEqual([])
  })
})
