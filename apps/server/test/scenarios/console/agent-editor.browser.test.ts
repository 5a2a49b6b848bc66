import type { Agent } from '@parley/contract'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { listenToSpeaker } from '../../support/browser/loudest-sound.js'
import { type Inspection, makeInspection } from '../../support/console/inspection.js'
import { type OpenConsole, openConsole, pagePatience } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { responseCreated, responseDone, spoke } from '../../support/realtime/spoken-turns.js'
import { startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { sounded } from '../../support/sdk/tone.js'

const timeout = 60_000

const service = useQuestionService()
let owner: OpenConsole
let page: Page
let looked: Inspection
let housekeeping: string
/** The one that is made in the first test. */
let agentId: string

beforeAll(async () => {
  housekeeping = await service.makeAgent({ name: 'Housekeeping' })
  owner = await openConsole(service.running, {
    as: await signedIn(service.running, 'owner'),
    initScript: listenToSpeaker,
  })
  page = owner.page
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  looked = makeInspection(owner)
})

const tab = (name: string | RegExp) => page.getByRole('tab', { name })
const save = () => page.getByRole('button', { name: 'Save agent' })
const dialog = '[role=dialog]'
const panel = '[role=tabpanel]'

async function choose(within: Page | Locator, field: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Of a long text the editor draws what is looked at; what is copied is all of it. */
async function copied(editor: Locator): Promise<string> {
  await editor.click()
  await editor.press('ControlOrMeta+a')
  await editor.press('ControlOrMeta+c')
  return page.evaluate<string>('navigator.clipboard.readText()')
}

const read = async () => (await service.running.client.call<Agent>('GET', `/api/v1/Agent/${agentId}`)).body

describe('the editor of an agent [CNS-24]', { timeout }, () => {
  test('says what is wrong while one writes', async () => {
    await owner.show('/agents/new', 'New agent')
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill(' ')
    await page.getByText('An agent needs a name').waitFor()
    await page.getByText('One thing to mend first').waitFor()
    await tab(/^Settings.*1 to mend/).waitFor()
    await name.fill('Garden desk')
    await page.getByText('Not saved yet').waitFor()
    await choose(page, 'Connection', 'Text for Housekeeping')
  })

  test('has a tool as a form and as JSON, which are one', async () => {
    await tab('Tools').click()
    await page.getByRole('button', { name: 'Add a tool' }).click()
    const drawer = page.getByRole('dialog', { name: 'Add a tool' })
    await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('find booking')
    await drawer.getByText('Must be 1 to 64 letters').waitFor()
    await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('find_booking')
    await drawer.getByRole('textbox', { name: 'Description', exact: true }).fill('Finds a booking.')
    await drawer.getByRole('textbox', { name: 'Address' }).fill(`${service.tools.url}/booking/{number}`)
    await drawer.getByText('{number} is not among the parameters').waitFor()
    await drawer.getByRole('button', { name: 'Add a parameter' }).click()
    await drawer.getByRole('textbox', { name: 'Name of parameter 1' }).fill('number')
    expect(await drawer.getByText('is not among the parameters').count()).toBe(0)
    await choose(drawer, 'Type of parameter 1', 'integer')
    await drawer.getByRole('textbox', { name: 'Description of parameter 1' }).fill('Of the booking.')
    await drawer.getByRole('button', { name: 'Add a header' }).click()
    await drawer.getByRole('textbox', { name: 'Name of header 1' }).fill('X-Key')
    await drawer.getByLabel('Value of header 1').fill('secret')
    await looked.inspect('form of a tool', dialog)

    await drawer.getByRole('tab', { name: 'JSON' }).click()
    const json = drawer.getByRole('textbox', { name: 'Tool as JSON' })
    await json.waitFor()
    const written = JSON.parse(await copied(json))
    expect(written).toMatchObject({
      name: 'find_booking',
      parameters: {
        properties: { number: { type: 'integer', description: 'Of the booking.' } },
        required: ['number'],
      },
      request: { headers: { 'X-Key': 'secret' } },
    })
    await json.fill('{ "kind": ')
    await drawer.getByText('This is not JSON yet').waitFor()
    expect(await drawer.getByRole('tab', { name: 'Form' }).isDisabled()).toBe(true)
    const { properties } = written.parameters
    const parameters = { ...written.parameters, properties: { number: { ...properties.number, minimum: 1 } } }
    await json.fill(JSON.stringify({ ...written, title: 'Find a booking', parameters }))
    await looked.inspect('JSON of a tool', dialog)
    await drawer.getByRole('tab', { name: 'Form' }).click()
    expect(await drawer.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Find a booking')
    await drawer.getByText('Also in JSON: minimum').waitFor()
  })

  test('loses nothing that is half-written, and stays where it was when it is saved', async () => {
    const drawer = page.getByRole('dialog', { name: 'Add a tool' })
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.keyboard.press('Escape')
    await looked.inspect('question before one leaves', dialog)
    await question.getByRole('button', { name: 'Stay' }).click()
    expect(await drawer.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Find a booking')
    await drawer.getByRole('button', { name: 'Add tool' }).click()
    await page.getByRole('listitem', { name: 'find_booking' }).waitFor()
    await page.getByRole('link', { name: 'Connections', exact: true }).click()
    await question.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('heading', { name: 'Garden desk', level: 1 }).waitFor()

    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.waitForURL(/\/agents\/[0-9a-f-]{36}/)
    agentId = page.url().match(/[0-9a-f-]{36}/)?.[0] ?? ''
    await page.getByRole('listitem', { name: 'find_booking' }).waitFor()
    expect(await tab(/^Tools/).getAttribute('aria-selected')).toBe('true')
    expect(await read()).toMatchObject({
      name: 'Garden desk',
      tools: [{ name: 'find_booking', title: 'Find a booking', request: { headerNames: ['X-Key'] } }],
    })
    await looked.inspect('tools of an agent', panel)
  })

  test('tries a tool, dry and for real', async () => {
    const { tools } = service
    await page.getByRole('button', { name: 'Try find_booking' }).click()
    const drawer = page.getByRole('dialog', { name: 'Try Find a booking' })
    await drawer.getByRole('textbox', { name: 'number' }).fill('4711')
    await drawer.getByRole('button', { name: 'Dry run' }).click()
    const outcome = drawer.getByRole('region', { name: 'Outcome' })
    await outcome.getByText('Would be called').waitFor()
    expect(await outcome.innerText()).toContain(`GET ${tools.url}/booking/4711`)
    expect(tools.requests).toEqual([])
    const called = tools.expect('GET /booking/4711', { body: { guest: 'Grace Hopper' } })
    await drawer.getByRole('button', { name: 'Run for real' }).click()
    expect((await called).headers['x-key']).toBe('secret')
    await outcome.getByText('Succeeded').waitFor()
    expect(await outcome.innerText()).toMatch(/ s[\s\S]*What the model reads[\s\S]*"Grace Hopper"/)
    await looked.inspect('trial of a tool', dialog)
    await drawer.getByRole('button', { name: 'Close' }).click()
  })
})

test('sub-agents are a picture that leads to them, and a circle is seen before it is saved [CNS-25]', {
  timeout,
}, async () => {
  await tab('Sub-agents').click()
  await page.getByText('It asks nobody.').waitFor()
  await choose(page, 'Sub-agents', 'Housekeeping')
  const picture = page.getByRole('region', { name: 'Picture of the sub-agents' })
  await picture.getByText('Garden desk asks Housekeeping').waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await looked.inspect('sub-agents', panel)
  await save().click()
  await expect.poll(async () => (await read()).subAgentIds, pagePatience).toEqual([housekeeping])
  await picture.getByRole('link', { name: 'Housekeeping' }).click()
  await page.getByRole('heading', { name: 'Housekeeping', level: 1 }).waitFor()
  await tab('Sub-agents').click()
  await choose(page, 'Sub-agents', 'Garden desk')
  await page.getByText('Garden desk can ask this agent: a circle').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('It asks nobody.').waitFor()

  await owner.show('/agents', 'Agents')
  const row = page.getByRole('row', { name: /Garden desk/ })
  const counts = async () => (await row.getByRole('cell').allInnerTexts()).slice(2, 4)
  await expect.poll(counts, pagePatience).toEqual(['1', '1'])
})

describe('the history of an agent [CNS-26]', { timeout }, () => {
  test('tells who changed what; somebody else’s save is not overwritten', async () => {
    await owner.show(`/agents/${agentId}`, 'Garden desk')
    const instructions = page.getByRole('textbox', { name: 'Instructions' })
    await instructions.fill('Mine.')
    const body = { description: 'Theirs.' }
    await service.running.client.call('PATCH', `/api/v1/Agent/${agentId}`, { body })
    const news = page.getByRole('alert').filter({ hasText: 'Changed meanwhile by the API key' })
    await news.getByRole('button', { name: 'See their version' }).click()
    const theirs = page.getByRole('dialog', { name: 'What they have changed' })
    await theirs.getByText('Theirs.').waitFor()
    await looked.inspect('what others have changed', dialog)
    await theirs.getByRole('button', { name: 'Keep mine' }).click()
    await save().click()
    await expect.poll(read, pagePatience).toMatchObject({ systemMessage: 'Mine.', description: 'Theirs.' })
  })

  test('leads back to a revision', async () => {
    await tab('History').click()
    const revisions = page.getByRole('heading', { level: 2 }).filter({ hasText: '#' })
    await expect
      .poll(() => revisions.allInnerTexts(), pagePatience)
      .toEqual([
        expect.stringMatching(/#4\s+Changed: Instructions\s+An owner.*\s+Now/),
        expect.stringMatching(/#3\s+Changed: Description\s+the API key/),
        expect.stringMatching(/#2\s+Changed: Sub-agents\s+An owner/),
        expect.stringMatching(/#1\s+Created\s+An owner/),
      ])
    await revisions.nth(2).click()
    const instructions = page.getByRole('region', { name: 'Instructions' })
    await instructions.getByText('Mine.').waitFor()
    await looked.inspect('history of an agent', panel)
    await page.getByRole('button', { name: 'Go back to this' }).click()
    const question = page.getByRole('dialog', { name: 'Go back to #2?' })
    await looked.inspect('question before one goes back', dialog)
    await question.getByRole('button', { name: 'Go back to this' }).click()
    await revisions.filter({ hasText: 'Went back to #2' }).waitFor()
    expect(await read()).toMatchObject({
      ...{ systemMessage: '', description: null, subAgentIds: [housekeeping] },
      tools: [{ name: 'find_booking', request: { headerNames: ['X-Key'] } }],
    })
  })
})

test('an agent is heard in the voice that is chosen, and nothing is left of it [CNS-27]', {
  timeout,
}, async () => {
  await tab('Settings').click()
  await page.getByRole('combobox', { name: 'Voice' }).fill('sage')
  await page.getByRole('button', { name: 'Hear it' }).click()
  const provider = await service.voice.accept()
  const { session } = await provider.inbox.takeType('session.update')
  expect(session).toMatchObject({ audio: { output: { voice: 'sage' } } })
  provider.send({ type: 'session.updated', event_id: 'e', session })
  await provider.inbox.takeType('response.create')
  provider.send(responseCreated('response of a1'))
  provider.send(spoke('a1', 'Good morning!'))
  provider.send(sounded('a1', 600))
  provider.send(responseDone('response of a1'))
  await expect.poll(() => page.evaluate<number>('loudest'), pagePatience).toBeGreaterThan(0.05)
  await page.getByRole('button', { name: 'Hear it' }).waitFor()
  const path = `/api/v1/Conversation?AgentId=${agentId}`
  const left = async () => (await service.running.client.call<{ totalCount: number }>('GET', path)).body
  await expect.poll(left, pagePatience).toMatchObject({ totalCount: 0 })
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a connection is made, and its test says in words what is wrong [CNS-28]', { timeout }, async () => {
  const gone = await startScriptedHttpServer()
  await gone.close()
  await owner.show('/connections', 'Connections')
  await page.getByRole('button', { name: 'Add a connection' }).click()
  const drawer = page.getByRole('dialog')
  await choose(drawer, 'Kind', 'Compatible with OpenAI')
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Own server')
  await drawer.getByRole('textbox', { name: 'Address' }).fill('own-server/v1')
  await drawer.getByRole('button', { name: 'Add connection' }).click()
  await drawer.getByText('Must be an http or https address').waitFor()
  await drawer.getByRole('textbox', { name: 'Address' }).fill(`${gone.url}/v1`)
  await drawer.getByRole('button', { name: 'Add connection' }).click()
  const trial = drawer.getByRole('button', { name: 'Test the connection' })
  await trial.click()
  const finding = drawer.getByRole('alert')
  await finding.getByText(`Nothing listens at 127.0.0.1:${gone.port}. Check address and port`).waitFor()
  expect(await finding.innerText()).not.toContain('ECONN')
  await looked.inspect('connection that does not work', dialog)

  await drawer.getByRole('textbox', { name: 'Address' }).fill(`${service.tools.url}/v1`)
  await drawer.getByText('Save first: what is saved is tested.').waitFor()
  await drawer.getByLabel('Key', { exact: true }).fill('sk-wrong')
  await drawer.getByRole('button', { name: 'Save connection' }).click()
  void service.tools.expect('GET /v1/models', { status: 401 })
  await trial.click()
  await finding.getByText('Make a new key at the provider, paste it above, and save.').waitFor()
  const listed = service.tools.expect('GET /v1/models', { body: { data: [{ id: 'qwen3' }] } })
  await trial.click()
  expect((await listed).headers.authorization).toBe('Bearer sk-wrong')
  await finding.getByText('lists 1 model').waitFor()
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('row', { name: /Own server/ }).waitFor()
})

test('nobody is kept out of what these pages open, in both themes [CNS-29]', () => {
  const names = [
    'form of a tool',
    'JSON of a tool',
    'question before one leaves',
    'tools of an agent',
    'trial of a tool',
    'sub-agents',
    'what others have changed',
    'history of an agent',
    'question before one goes back',
    'connection that does not work',
  ]
  expect(looked.found).toEqual(Object.fromEntries(names.map((name) => [name, []])))
  expect(owner.troubles).toEqual([])
})
