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
import { audioDelta } from '../../support/sdk/tone.js'

const timeout = 60_000

const service = useQuestionService()
let owner: OpenConsole
let page: Page
let inspection: Inspection
let housekeeping: string
/** Created in the first test. */
let agentId: string

beforeAll(async () => {
  housekeeping = await service.makeAgent({ name: 'Housekeeping' })
  owner = await openConsole(service.running, {
    as: await signedIn(service.running, 'owner'),
    initScript: listenToSpeaker,
  })
  page = owner.page
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  inspection = makeInspection(owner)
})

const tab = (name: string | RegExp) => page.getByRole('tab', { name })
const save = () => page.getByRole('button', { name: 'Save changes' })
const dialog = '[role=dialog]'
const panel = '[role=tabpanel]'

async function choose(within: Page | Locator, field: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** The editor renders only the visible part of a long text. Copying returns all of it. */
async function copied(editor: Locator): Promise<string> {
  await editor.click()
  await editor.press('ControlOrMeta+a')
  await editor.press('ControlOrMeta+c')
  return page.evaluate<string>('navigator.clipboard.readText()')
}

const read = async () => (await service.running.client.call<Agent>('GET', `/api/v1/Agent/${agentId}`)).body

describe('agent editor', { timeout }, () => {
  test('shows errors while the user types [CNS-24]', async () => {
    await owner.show('/agents/new', 'New agent')
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill(' ')
    await page.getByText('Name is required').waitFor()
    await page.getByText('1 error to fix').waitFor()
    await tab(/^Settings.*1 to fix/).waitFor()
    await name.fill('Garden desk')
    await page.getByText('Unsaved changes').waitFor()
    await choose(page, 'Connection', 'Text for Housekeeping')
  })

  test('edits a tool as a form and as JSON, with one shared state [CNS-24]', async () => {
    await tab('Tools').click()
    await page.getByRole('button', { name: 'New tool' }).click()
    const drawer = page.getByRole('dialog', { name: 'New tool' })
    await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('find booking')
    await drawer.getByText('Must be 1 to 64 letters').waitFor()
    await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('find_booking')
    await drawer.getByRole('textbox', { name: 'Description', exact: true }).fill('Finds a booking.')
    await drawer
      .getByRole('textbox', { name: 'URL', exact: true })
      .fill(`${service.tools.url}/booking/{number}`)
    await drawer.getByText('{number} is not a parameter').waitFor()
    await drawer.getByRole('button', { name: 'Add parameter number' }).click()
    expect(await drawer.getByRole('textbox', { name: 'Parameter 1 name' }).inputValue()).toBe('number')
    expect(await drawer.getByText('is not a parameter').count()).toBe(0)
    await choose(drawer, 'Parameter 1 type', 'integer')
    await drawer.getByRole('textbox', { name: 'Parameter 1 description' }).fill('Of the booking.')
    await drawer.getByRole('button', { name: 'Add header' }).click()
    await drawer.getByRole('textbox', { name: 'Header 1 name' }).fill('X-Key')
    await drawer.getByLabel('Header 1 value').fill('secret')
    await inspection.inspect('tool form', dialog)

    await drawer.getByRole('tab', { name: 'JSON' }).click()
    const json = drawer.getByRole('textbox', { name: 'Tool JSON' })
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
    await drawer.getByText('Invalid JSON').waitFor()
    expect(await drawer.getByRole('tab', { name: 'Form' }).isDisabled()).toBe(true)
    const { properties } = written.parameters
    const parameters = { ...written.parameters, properties: { number: { ...properties.number, minimum: 1 } } }
    await json.fill(JSON.stringify({ ...written, title: 'Find a booking', parameters }))
    await inspection.inspect('tool JSON', dialog)
    await drawer.getByRole('tab', { name: 'Form' }).click()
    expect(await drawer.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Find a booking')
    await drawer.getByText('Also in JSON: minimum').waitFor()
  })

  test('asks before unsaved input is lost, and keeps the open tab after creation [CNS-24]', async () => {
    const drawer = page.getByRole('dialog', { name: 'New tool' })
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.keyboard.press('Escape')
    await inspection.inspect('unsaved changes', dialog)
    await question.getByRole('button', { name: 'Keep editing' }).click()
    expect(await drawer.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Find a booking')
    await drawer.getByRole('button', { name: 'Add tool' }).click()
    await page.getByRole('listitem', { name: 'find_booking' }).waitFor()
    await page.getByRole('link', { name: 'Connections', exact: true }).click()
    await question.getByRole('button', { name: 'Keep editing' }).click()
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
    await inspection.inspect('agent tools', panel)
  })

  test('tests a tool as a dry run and for real [CNS-24]', async () => {
    const { tools } = service
    await page.getByRole('button', { name: 'Test find_booking' }).click()
    const drawer = page.getByRole('dialog', { name: 'Test Find a booking' })
    await drawer.getByRole('textbox', { name: 'number' }).fill('4711')
    await drawer.getByRole('button', { name: 'Dry run' }).click()
    const outcome = drawer.getByRole('region', { name: 'Result' })
    await outcome.getByText('Would be called').waitFor()
    expect(await outcome.innerText()).toContain(`GET ${tools.url}/booking/4711`)
    expect(tools.requests).toEqual([])
    const called = tools.expect('GET /booking/4711', { body: { guest: 'Grace Hopper' } })
    await drawer.getByRole('button', { name: 'Run tool' }).click()
    expect((await called).headers['x-key']).toBe('secret')
    await outcome.getByText('Succeeded').waitFor()
    expect(await outcome.innerText()).toMatch(/ s[\s\S]*Tool output[\s\S]*"Grace Hopper"/)
    await inspection.inspect('tool test', dialog)
    await drawer.getByRole('button', { name: 'Close' }).click()
  })
})

test('draws sub-agents as a diagram with links, and reports a circular reference before saving [CNS-25]', {
  timeout,
}, async () => {
  await tab('Sub-agents').click()
  await page.getByText('No sub-agents yet.').waitFor()
  await choose(page, 'Sub-agents', 'Housekeeping')
  const picture = page.getByRole('region', { name: 'Sub-agent diagram' })
  await picture.getByText('Garden desk asks Housekeeping').waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await inspection.inspect('sub-agents', panel)
  await save().click()
  await expect.poll(async () => (await read()).subAgentIds, pagePatience).toEqual([housekeeping])
  await picture.getByRole('link', { name: 'Housekeeping' }).click()
  await page.getByRole('heading', { name: 'Housekeeping', level: 1 }).waitFor()
  await tab('Sub-agents').click()
  await choose(page, 'Sub-agents', 'Garden desk')
  await page.getByText('Circular reference: Garden desk can ask this agent').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('No sub-agents yet.').waitFor()

  await owner.show('/agents', 'Agents')
  const row = page.getByRole('row', { name: /Garden desk/ })
  const counts = async () => (await row.getByRole('cell').allInnerTexts()).slice(2, 4)
  await expect.poll(counts, pagePatience).toEqual(['1', '1'])
})

describe('agent history', { timeout }, () => {
  test('shows who changed what, and does not overwrite the change of another user [CNS-26]', async () => {
    await owner.show(`/agents/${agentId}`, 'Garden desk')
    const instructions = page.getByRole('textbox', { name: 'Instructions' })
    await instructions.fill('Mine.')
    const body = { description: 'Theirs.' }
    await service.running.client.call('PATCH', `/api/v1/Agent/${agentId}`, { body })
    const news = page.getByRole('alert').filter({ hasText: 'This agent was changed by API key' })
    await news.getByRole('button', { name: 'View changes' }).click()
    const theirs = page.getByRole('dialog', { name: 'Their changes' })
    await theirs.getByText('Theirs.').waitFor()
    await inspection.inspect('changes of another user', dialog)
    await theirs.getByRole('button', { name: 'Keep mine' }).click()
    await save().click()
    await expect.poll(read, pagePatience).toMatchObject({ systemMessage: 'Mine.', description: 'Theirs.' })
  })

  test('shows how to put the agent on a website [CNS-51]', async () => {
    const { url, organizationId } = service.running
    await tab('Embed').click()
    const shown = page.locator('[data-copy]')
    await expect
      .poll(() => shown.allInnerTexts(), pagePatience)
      .toEqual([
        `npm install ${url}/sdk/parley-sdk.tgz`,
        expect.stringContaining(`PARLEY_ORG_ID=${organizationId} \\\n  PARLEY_AGENT_ID=${agentId}`),
        expect.stringContaining('parley.realtimeSessions.create(PARLEY_AGENT_ID'),
        expect.stringContaining(`src="${url}/sdk/v1/parley-agent.js"`),
      ])
    await page.getByRole('button', { name: 'Copy install command' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `npm install ${url}/sdk/parley-sdk.tgz`,
    )
    await inspection.inspect('embed', panel)
  })

  test('restores a revision [CNS-26]', async () => {
    await tab('History').click()
    const revisions = page.getByRole('heading', { level: 2 }).filter({ hasText: '#' })
    await expect
      .poll(() => revisions.allInnerTexts(), pagePatience)
      .toEqual([
        expect.stringMatching(/#4\s+Changed: Instructions\s+An owner.*\s+Current/),
        expect.stringMatching(/#3\s+Changed: Description\s+API key/),
        expect.stringMatching(/#2\s+Changed: Sub-agents\s+An owner/),
        expect.stringMatching(/#1\s+Created\s+An owner/),
      ])
    await revisions.nth(2).click()
    const instructions = page.getByRole('region', { name: 'Instructions' })
    await instructions.getByText('Mine.').waitFor()
    await inspection.inspect('agent history', panel)
    await page.getByRole('button', { name: 'Restore' }).click()
    const question = page.getByRole('dialog', { name: 'Restore #2?' })
    await inspection.inspect('restore', dialog)
    await question.getByRole('button', { name: 'Restore' }).click()
    await revisions.filter({ hasText: 'Restored #2' }).waitFor()
    expect(await read()).toMatchObject({
      ...{ systemMessage: '', description: null, subAgentIds: [housekeeping] },
      tools: [{ name: 'find_booking', request: { headerNames: ['X-Key'] } }],
    })
  })
})

test('edits the first message and the example questions [CNS-50]', { timeout }, async () => {
  await tab('Settings').click()
  await page.getByRole('textbox', { name: 'First message' }).fill('Welcome.')
  const questions = page.getByRole('combobox', { name: 'Example questions' })
  await questions.fill('When is breakfast, and where?')
  await questions.press('Enter')
  await inspection.inspect('first message', panel)
  await save().click()
  await expect
    .poll(read, pagePatience)
    .toMatchObject({ firstMessage: 'Welcome.', exampleQuestions: ['When is breakfast, and where?'] })
  await page.getByRole('textbox', { name: 'First message' }).fill('')
  await save().click()
  await expect.poll(read, pagePatience).toMatchObject({ firstMessage: null })
})

test('declares variables, and shows their mistakes at the fields [CNS-58]', { timeout }, async () => {
  await tab('Settings').click()
  const box = (name: string) => page.getByRole('textbox', { name, exact: true })
  await box('Instructions').fill('Serve {{customerName}} in {{language|English}}. It is {{now}}.')
  const mistake = page.getByText('{{customerName}} is not declared under Variables')
  await mistake.waitFor()
  await page.getByRole('button', { name: 'Declare customerName' }).click()
  await mistake.waitFor({ state: 'detached' })
  await box('Variable 1 description').fill('The name for greetings.')
  await page.getByRole('button', { name: 'Add variable' }).click()
  await box('Variable 2 name').fill('customerName')
  await page.getByText('Another variable is already named customerName').waitFor()
  await box('Variable 2 name').fill('plan')
  await box('Variable 2 default').fill('free')
  await page.getByRole('checkbox', { name: 'Required' }).nth(1).uncheck()
  await inspection.inspect('variables', panel)
  await save().click()
  await expect.poll(read, pagePatience).toMatchObject({
    variables: [
      { name: 'customerName', description: 'The name for greetings.', default: null, required: true },
      { name: 'plan', description: null, default: 'free', required: false },
    ],
  })
  await tab('Tools').click()
  await page.getByRole('button', { name: 'Edit find_booking' }).click()
  const drawer = page.getByRole('dialog')
  const url = drawer.getByRole('textbox', { name: 'URL', exact: true })
  await url.fill(`${service.tools.url}/{{plan}}/{number}`)
  await url.blur()
  expect(await url.getAttribute('aria-invalid')).not.toBe('true')
  await drawer.getByRole('button', { name: 'Cancel' }).click()
})

test('plays the selected voice and leaves no conversation behind [CNS-27]', {
  timeout,
}, async () => {
  await tab('Settings').click()
  await page.getByRole('combobox', { name: 'Voice' }).fill('sage')
  await page.getByRole('button', { name: 'Preview voice' }).click()
  const provider = await service.voice.accept()
  const { session } = await provider.inbox.takeType('session.update')
  expect(session).toMatchObject({ audio: { output: { voice: 'sage' } } })
  provider.send({ type: 'session.updated', event_id: 'e', session })
  await provider.inbox.takeType('response.create')
  provider.send(responseCreated('response of a1'))
  provider.send(spoke('a1', 'Good morning!'))
  provider.send(audioDelta('a1', 600))
  provider.send(responseDone('response of a1'))
  await expect.poll(() => page.evaluate<number>('loudest'), pagePatience).toBeGreaterThan(0.05)
  await page.getByRole('button', { name: 'Preview voice' }).waitFor()
  const path = `/api/v1/Conversation?AgentId=${agentId}`
  const left = async () => (await service.running.client.call<{ totalCount: number }>('GET', path)).body
  await expect.poll(left, pagePatience).toMatchObject({ totalCount: 0 })
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('creates a connection, and its test explains what is wrong [CNS-28]', { timeout }, async () => {
  const gone = await startScriptedHttpServer()
  await gone.close()
  await owner.show('/connections', 'Connections')
  await page.getByRole('button', { name: 'New connection' }).click()
  const drawer = page.getByRole('dialog')
  await choose(drawer, 'Provider', 'OpenAI-compatible')
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Own server')
  await drawer.getByRole('textbox', { name: 'Base URL' }).fill('own-server/v1')
  await drawer.getByRole('button', { name: 'Create connection' }).click()
  await drawer.getByText('Must be an http or https URL').waitFor()
  await drawer.getByRole('textbox', { name: 'Base URL' }).fill(`${gone.url}/v1`)
  await drawer.getByRole('button', { name: 'Create connection' }).click()
  const trial = drawer.getByRole('button', { name: 'Test connection' })
  await trial.click()
  const finding = drawer.getByRole('alert')
  await finding.getByText(`Nothing listens at 127.0.0.1:${gone.port}. Check address and port`).waitFor()
  expect(await finding.innerText()).not.toContain('ECONN')
  await inspection.inspect('failed connection test', dialog)

  await drawer.getByRole('textbox', { name: 'Base URL' }).fill(`${service.tools.url}/v1`)
  await drawer.getByText('Save your changes to test them.').waitFor()
  await drawer.getByLabel('API key', { exact: true }).fill('sk-wrong')
  await drawer.getByRole('button', { name: 'Save changes' }).click()
  void service.tools.expect('GET /v1/models', { status: 401 })
  await trial.click()
  await finding.getByText('Create a new API key at the provider, enter it above and save.').waitFor()
  const listed = service.tools.expect('GET /v1/models', { body: { data: [{ id: 'qwen3' }] } })
  await trial.click()
  expect((await listed).headers.authorization).toBe('Bearer sk-wrong')
  await finding.getByText('lists 1 model').waitFor()
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('row', { name: /Own server/ }).waitFor()
})

test('the tabs, drawers and dialogs of these pages are accessible in both themes [CNS-29]', () => {
  const names = [
    'tool form',
    'tool JSON',
    'unsaved changes',
    'agent tools',
    'tool test',
    'sub-agents',
    'changes of another user',
    'agent history',
    'restore',
    'failed connection test',
    'first message',
    'embed',
    'variables',
  ]
  expect(inspection.found).toEqual(Object.fromEntries(names.map((name) => [name, []])))
  expect(owner.pageErrors).toEqual([])
})
