import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findTool } from '../../support/console/hotel.js'
import { type Inspection, makeInspection } from '../../support/console/inspection.js'
import { type OpenConsole, openConsole } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { ask } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const timeout = 60_000

const service = useQuestionService()
let owner: OpenConsole
let page: Page
let inspection: Inspection
let agentId: string

beforeAll(async () => {
  agentId = await service.makeAgent({ name: 'Garden desk', tools: [findTool(service.tools.url)] })
  owner = await openConsole(service.running, { as: await signedIn(service.running, 'owner') })
  page = owner.page
  inspection = makeInspection(owner)
})

const dialog = '[role=dialog]'
const panel = '[role=tabpanel]'
const button = (name: string | RegExp) => page.getByRole('button', { name })
const results = () => page.getByRole('region', { name: 'Results' })

const definition = `tests:
  - name: greets
    turns:
      - user: Good day!
        expect:
          - says: welcome
`

describe('the tests of an agent', { timeout }, () => {
  test('are written in the format of files, and mistakes show their line [CNS-52]', async () => {
    await owner.show(`/agents/${agentId}?tab=tests`, 'Garden desk')
    await page.getByText('No tests yet').waitFor()
    await inspection.inspect('no tests', panel)
    await button('New test').click()
    const drawer = page.getByRole('dialog', { name: 'New test' })
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Greeting')
    const text = drawer.getByRole('textbox', { name: 'Tests' })
    expect(await text.inputValue()).toContain('- user: "What can you do?"')
    await text.fill(definition.replace('turns', 'turn'))
    await button('Create test').click()
    const mistakes = drawer.getByRole('alert', { name: 'Errors in the tests' })
    await mistakes.getByText(/tests\[0\]\.turn/).waitFor()
    await inspection.inspect('mistakes in a test', dialog)
    await mistakes.getByRole('button', { name: 'Line 3' }).first().click()
    const marked =
      'getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)'
    expect(await page.evaluate<string>(marked)).toContain('turn:')
    await text.fill(definition)
    await button('Create test').click()
    await page.getByRole('listitem', { name: 'Greeting' }).getByText('No result').waitFor()
  })

  test('are run, and show what newly fails with its transcript [CNS-52]', async () => {
    service.model.answer({ text: 'Welcome!' })
    await button('Run all').click()
    await results().getByText('1 of 1 passed').waitFor()
    await page.getByRole('listitem', { name: 'Greeting' }).getByText('Passed').waitFor()
    service.model.answer({ text: 'Go away!' })
    await button('Run Greeting').click()
    await results().getByText('0 of 1 passed, 1 failed').waitFor()
    await results().getByText('1 newly failing').waitFor()
    await results()
      .getByRole('button', { name: /greets/ })
      .click()
    await results().getByText('Expected: "welcome"').waitFor()
    await results()
      .getByText(/^Go away! \(after/)
      .waitFor()
    await inspection.inspect('test results', panel)
    await results().getByRole('combobox', { name: 'Run' }).click()
    await page.getByRole('option', { name: /1\/1/ }).click()
    await results().getByText('1 of 1 passed').waitFor()
  })

  test('are made from a conversation, with its calls and the meaning of its answers [CNS-53]', async () => {
    const found = service.tools.expect('GET /booking?number=4711', { body: { guest: 'Grace', room: 12 } })
    const calls = [{ id: 'a', name: 'find_booking', arguments: { number: '4711' } }]
    service.model.answer({ calls }, { text: 'Grace has room 12.' })
    const { body } = await ask(service.running, agentId, { question: 'Find booking 4711!' })
    await found
    await owner.show(`/conversations/${body.conversationId}`, 'Find booking 4711!')
    await button('Add as test').click()
    const drawer = page.getByRole('dialog', { name: 'New test' })
    const text = drawer.getByRole('textbox', { name: 'Tests' })
    expect(await text.inputValue()).toBe(`tools:
  find_booking:
    - { arguments: {"number":"4711"}, output: {"guest":"Grace","room":12} }
tests:
  - name: "Find booking 4711!"
    turns:
      - user: "Find booking 4711!"
        expect:
          - calls: { find_booking: {"number":"4711"} }
          - means: { text: "Grace has room 12." }
`)
    await inspection.inspect('conversation as test', dialog)
    await button('Create test').click()
    await page.getByRole('heading', { name: 'Garden desk', level: 1 }).waitFor()
    service.model.answer({ calls }, { text: 'Grace has room 12.' })
    await button('Run Find booking 4711!').click()
    await results().getByText('1 of 1 passed').waitFor()
  })

  test('are read-only for a viewer [CNS-52]', async () => {
    const viewer = await openConsole(service.running, { as: await signedIn(service.running, 'viewer') })
    await viewer.show(`/agents/${agentId}?tab=tests`, 'Garden desk')
    await viewer.page.getByRole('button', { name: 'View Greeting' }).click()
    await viewer.page.getByRole('dialog', { name: 'Greeting' }).waitFor()
    expect(
      await viewer.page.getByRole('button', { name: /^(?:Run|New test|Create|Save|Delete)/ }).count(),
    ).toBe(0)
    expect(viewer.pageErrors).toEqual([])
  })

  test('are accessible in both themes, and cause no page errors [CNS-29]', () => {
    const names = ['no tests', 'mistakes in a test', 'test results', 'conversation as test']
    expect(inspection.found).toEqual(Object.fromEntries(names.map((name) => [name, []])))
    // The browser reports the rejected definition.
    expect(owner.pageErrors.filter((error) => !error.includes('400 (Bad Request)'))).toEqual([])
  })
})
