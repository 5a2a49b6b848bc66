import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { putIntoMicrophone } from '../../support/browser/browser.js'
import { cancelTool, findTool } from '../../support/console/hotel.js'
import { type Inspection, makeInspection } from '../../support/console/inspection.js'
import { type OpenConsole, openConsole, pagePatience } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import type { ProviderSession } from '../../support/realtime/scripted-provider.js'
import {
  answered,
  committed,
  messagesOf,
  responseCreated,
  responseDone,
  spoke,
  transcribed,
} from '../../support/realtime/spoken-turns.js'
import { acceptSession } from '../../support/sdk/scripted-voice.js'
import { audioDelta, minToneAmplitude, tone } from '../../support/sdk/tone.js'

const timeout = 60_000
const microphoneRate = 24_000

const service = useQuestionService()
let owner: OpenConsole
let page: Page
let inspection: Inspection
let agentId: string

beforeAll(async () => {
  const { tools } = service
  const housekeeping = await service.makeAgent({ name: 'Housekeeping', systemMessage: 'You know the rooms.' })
  agentId = await service.makeAgent({
    name: 'Blue Hotel desk',
    tools: [findTool(tools.url), cancelTool(tools.url)],
    subAgentIds: [housekeeping],
  })
  owner = await openConsole(service.running, { as: await signedIn(service.running, 'owner') })
  page = owner.page
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write', 'microphone'])
  inspection = makeInspection(owner)
  await owner.show(`/playground?agent=${agentId}`, 'Playground')
})

const card = (name: string) => page.getByRole('article', { name })
const timing = () => page.getByRole('group', { name: 'Response times' }).last()

/** The figures of the last answer, which are folded at first. */
async function figures(): Promise<readonly string[]> {
  if ((await timing().getAttribute('open')) === null) await timing().locator('summary').click()
  return timing().getByRole('listitem').allInnerTexts()
}
const complete = () =>
  expect.poll(figures, pagePatience).toContainEqual(expect.stringMatching(/^Complete \d/))

async function ask(question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(question)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** Drops a file as a user would. */
async function drop(name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const dropped = new DataTransfer()
      dropped.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/plain' }))
      return dropped
    })()`,
  )
  const place = page.getByRole('log', { name: 'Conversation' })
  await place.dispatchEvent('dragenter', { dataTransfer })
  await page.getByText('Drop files to attach them').waitFor()
  await place.dispatchEvent('drop', { dataTransfer })
}

describe('a question in the playground', { timeout }, () => {
  test('sends dropped files along, and shows the tool calls and times of the answer [CNS-20]', async () => {
    const { model, tools } = service
    const booking = { guest: 'Grace Hopper', room: 12 }
    void tools.expect('GET /booking?number=4711', { body: booking })
    model.answer({ calls: [{ name: 'find_booking', arguments: { number: '4711' } }] })
    model.answer({ text: 'Room 12, and pancakes at four euros.' })
    await drop('menu.txt', 'Pancakes cost four euros.')
    const listed = page.getByRole('list', { name: 'Attached files' })
    await listed.getByText('25 bytes').waitFor()
    await ask('Which room is 4711, and what are the pancakes?')
    expect(JSON.stringify((await model.nextRequest()).body)).toContain('Pancakes cost four euros.')
    await page.getByText('Room 12, and pancakes').waitFor()
    await page.getByText('Attached: menu.txt').waitFor()
    expect(await listed.count()).toBe(0)

    const shown = await card('Tool Find a booking').innerText()
    expect(shown).toMatch(
      /\d ms[\s\S]*Done[\s\S]*Arguments[\s\S]*"number": "4711"[\s\S]*Result[\s\S]*"Grace Hopper"/,
    )
    await timing()
      .getByText(/^[\d.]+ m?s$/)
      .first()
      .waitFor()
    expect(await timing().getByRole('listitem').allInnerTexts()).toEqual([])
    await complete()
    expect(await figures()).toEqual([
      expect.stringMatching(/^First token \d/),
      expect.stringMatching(/^Complete \d/),
      expect.stringMatching(/^Find a booking \d/),
    ])
  })

  test('lists events that can be filtered and copied [CNS-20]', async () => {
    await page.getByRole('button', { name: 'Events' }).click()
    const panel = page.getByRole('complementary', { name: 'Event inspector' })
    const rows = panel.getByRole('option')
    const types = async () => (await rows.allInnerTexts()).map((row) => row.split(/\s+/)[2])
    const expectOnlyEvent = (type: string) => expect.poll(types, pagePatience).toEqual([type])
    await expect.poll(types, pagePatience).toContain('response.completed')
    await panel.getByText('Out', { exact: true }).click()
    await expectOnlyEvent('question')
    await panel.getByText('All', { exact: true }).click()
    await panel.getByRole('textbox', { name: 'Search events' }).fill('grace hopper')
    await expectOnlyEvent('response.function_invocation.done')
    await panel.getByText(/^1 of \d+ events$/).waitFor()
    await panel.getByRole('textbox', { name: 'Search events' }).fill('')
    await panel.getByRole('combobox', { name: 'Event type' }).click()
    await page.getByRole('option', { name: 'turn.started', exact: true }).click()
    await expectOnlyEvent('turn.started')
    await rows.click()
    await panel.getByRole('button', { name: 'Copy', exact: true }).click()
    await panel.getByText('Copied').waitFor()
    const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'))
    expect(copied).toMatchObject({ type: 'turn.started', data: { turnId: expect.any(String) } })
    await inspection.inspect('events', 'aside')
    await page.getByRole('button', { name: 'Events' }).click()
  })
})

test("shows the remaining time of a pending call, and uses the tool's title everywhere [CNS-21]", {
  timeout,
}, async () => {
  const { model, tools } = service
  model.answer({ calls: [{ name: 'cancel_booking', arguments: { number: '4711' } }] })
  model.answer({ text: 'It is cancelled.' })
  await ask('Cancel it, please.')
  const waiting = card('Tool Cancel a booking')
  const left = waiting.getByRole('timer')
  const first = await left.innerText()
  expect(first).toMatch(/^[45]:\d\d left$/)
  await expect.poll(() => left.innerText(), pagePatience).not.toBe(first)
  await page.getByText('Cancel a booking is waiting for approval.').first().waitFor({ state: 'attached' })
  await inspection.inspect('pending call', 'article[data-status=waiting]')
  const cancelled = tools.expect('POST /cancel', { body: { refunded: true } })
  await waiting.getByRole('button', { name: 'Approve Cancel a booking' }).click()
  await cancelled
  await page.getByText('It is cancelled.').waitFor()
  await expect.poll(() => waiting.innerText(), pagePatience).toMatch(/Done[\s\S]*"refunded": true/)
  await complete()
  await expect
    .poll(async () => (await figures()).join(' '), pagePatience)
    .toMatch(/Approval of Cancel a booking \d[\s\S]*Cancel a booking \d/)
  await owner.show('/approvals?tab=decided', 'Approvals')
  await page.getByRole('row', { name: /^Cancel a booking Approved You/ }).waitFor()
  await page.goBack()
  await page.getByText('It is cancelled.').waitFor()
})

test('shows a question to a sub-agent as a card with question and answer [CNS-22]', { timeout }, async () => {
  const { model } = service
  model.answer({ calls: [{ name: 'ask_housekeeping', arguments: { question: 'Is room 12 clean?' } }] })
  model.answer({ text: 'Spotless since noon.' })
  model.answer({ text: 'You can move in.' })
  await ask('Can I move in?')
  await page.getByText('You can move in.').waitFor()
  const asked = card('Agent Housekeeping')
  await asked.getByText('Spotless since noon.').waitFor()
  await expect
    .poll(() => asked.innerText(), pagePatience)
    .toMatch(/Done[\s\S]*Question\s+Is room 12 clean\?\s+Answer/)
  await expect.poll(figures, pagePatience).toContainEqual(expect.stringMatching(/^Housekeeping \d/))
})

test('shows the times of a spoken answer, and marks an interrupted one after a reload too [CNS-23]', {
  timeout,
}, async () => {
  // Both are longer than a busy machine needs between two steps of this test.
  const [spokenMilliseconds, answeredMilliseconds] = [20_000, 40_000]
  const silence = Buffer.alloc(microphoneRate * 2 * 60)
  await putIntoMicrophone(Buffer.concat([tone(spokenMilliseconds), silence]), microphoneRate)
  await page.getByRole('button', { name: 'Talk' }).click()
  const provider = await acceptSession({ provider: service.voice })
  await untilLoud(provider)
  provider.send({ type: 'input_audio_buffer.speech_stopped', item_id: 'u1', audio_end_ms: 900 })
  provider.send(committed('u1'))
  provider.send(transcribed('u1', 'When is breakfast?'))
  provider.send(responseCreated('response of a1'))
  provider.send(spoke('a1', 'Breakfast is from seven to ten.'))
  provider.send(audioDelta('a1', answeredMilliseconds))
  provider.send(answered('a1', 'Breakfast is from seven to ten.'))
  provider.send(responseDone('response of a1'))
  await page.getByRole('region', { name: 'Voice session' }).getByText('Speaking').waitFor()
  await complete()
  expect((await figures()).map((figure) => figure.replace(/ [\d.]+ m?s$/, ''))).toEqual(
    expect.arrayContaining(['End of speech', 'First token', 'First audio', 'Complete']),
  )

  const words = page.getByText(/Breakfast is from seven to ten\./)
  expect(await words.innerText()).not.toContain('Interrupted')
  provider.send({ type: 'input_audio_buffer.speech_started', item_id: 'u2', audio_start_ms: 1200 })
  const { item_id, audio_end_ms } = await provider.inbox.takeType('conversation.item.truncate')
  expect(item_id).toBe('a1')
  provider.send({ type: 'conversation.item.truncated', item_id, content_index: 0, audio_end_ms })
  await expect.poll(() => words.innerText(), pagePatience).toContain('Interrupted')
  await page.getByRole('button', { name: 'End', exact: true }).click()
  const conversationId = page.url().match(/conversation=([0-9a-f-]+)/)?.[1] ?? ''
  const stored = async () => (await messagesOf(service.running.client, conversationId)).at(-1)
  await expect.poll(stored, pagePatience).toMatchObject({ role: 'assistant', interrupted: true })
  await page.reload()
  await expect.poll(() => words.innerText(), pagePatience).toContain('Interrupted')
})

/** Waits until the page sends the user's speech. */
async function untilLoud(provider: ProviderSession): Promise<void> {
  for (;;) {
    const { audio } = await provider.inbox.takeType('input_audio_buffer.append')
    const bytes = Buffer.from(String(audio), 'base64')
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2))
    if (samples.some((sample) => Math.abs(sample) > minToneAmplitude)) return
  }
}

test('suggests a connection to a real model while the built-in one answers [CNS-28]', {
  timeout,
}, async () => {
  const hint = page.getByRole('link', { name: 'Add a connection' })
  expect(await hint.count()).toBe(0)
  await page.getByRole('combobox', { name: 'Agent' }).click()
  await page.getByRole('option', { name: 'Front desk' }).click()
  await hint.click()
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
})

test('shows the first message, and asks an example question with one click [CNS-50]', {
  timeout,
}, async () => {
  const questions = ['When is breakfast?', 'Where can I park?']
  const greeter = await service.makeAgent({
    name: 'Greeter',
    firstMessage: 'Welcome to the Blue Hotel.',
    exampleQuestions: questions,
  })
  await owner.show(`/playground?agent=${greeter}`, 'Playground')
  await page.getByText('Welcome to the Blue Hotel.').waitFor()
  await inspection.inspect('example questions', 'main')
  service.model.answer({ text: 'From seven to ten.' })
  await page.getByRole('button', { name: 'When is breakfast?' }).click()
  expect(JSON.stringify((await service.model.nextRequest()).body)).toContain('When is breakfast?')
  await page.getByText('From seven to ten.').waitFor()
  expect(await page.getByRole('button', { name: 'Where can I park?' }).count()).toBe(0)
})

test('asks for required variables before the first message, and remembers them [CNS-58]', {
  timeout,
}, async () => {
  const { model } = service
  const clerk = await service.makeAgent({
    name: 'Clerk',
    systemMessage: 'You serve {{customerName}} on the plan {{plan}}.',
    firstMessage: 'Hello {{customerName}}.',
    variables: [{ name: 'customerName' }, { name: 'plan', default: 'free' }],
  })
  await owner.show(`/playground?agent=${clerk}`, 'Playground')
  await ask('Hello?')
  const dialog = page.getByRole('dialog', { name: 'End user and variables' })
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('customerName is required').waitFor()
  await inspection.inspect('variables', '[role=dialog]')
  await dialog.getByRole('textbox', { name: 'External user ID' }).fill('customer-4711')
  await dialog.getByRole('textbox', { name: 'customerName' }).fill('Ada')
  model.answer({ text: 'Nice to meet you.' })
  await dialog.getByRole('button', { name: 'Continue' }).click()
  expect(JSON.stringify((await model.nextRequest()).body)).toContain('You serve Ada on the plan free.')
  await page.getByText('Nice to meet you.').waitFor()
  const found = await service.running.client.call('GET', '/api/v1/Conversation?ExternalUserId=customer-4711')
  expect(found.body).toMatchObject({ totalCount: 1, items: [{ agentId: clerk }] })

  await page.getByRole('button', { name: 'End user and variables' }).click()
  const owned = dialog.getByRole('textbox', { name: 'External user ID' })
  await expect.poll(() => owned.isEditable(), pagePatience).toBe(false)
  await dialog.getByRole('textbox', { name: 'plan' }).fill('pro')
  await dialog.getByRole('button', { name: 'Save' }).click()
  model.answer({ text: 'Of course.' })
  await ask('And now?')
  expect(JSON.stringify((await model.nextRequest()).body)).toContain('You serve Ada on the plan pro.')
  await page.getByText('Of course.').waitFor()

  await page.reload()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByText('Hello Ada.').waitFor()
  await page.getByRole('button', { name: 'Talk' }).click()
  const provider = await service.voice.accept()
  const { session } = await provider.inbox.takeType('session.update')
  provider.send({ type: 'session.updated', event_id: 'e', session })
  expect(JSON.stringify(session)).toContain('You serve Ada on the plan pro.')
  await page.getByRole('button', { name: 'End', exact: true }).click()
})

test('opens with the last used agent, and cuts a long name off without a horizontal scroll bar [CNS-56]', {
  timeout,
}, async () => {
  const name = `Porter of the ${'very '.repeat(20)}long-established-hotel-at-the-end-of-the-harbour`
  const porter = await service.makeAgent({ name, description: 'x'.repeat(150) })
  await service.makeAgent({ name: 'Newer agent' })
  await page.setViewportSize({ width: 390, height: 844 })
  await owner.show(`/playground?agent=${porter}`, 'Playground')
  await page.getByText(`Talk to ${name}`).waitFor()
  const overflow = `[document.documentElement, ...document.querySelectorAll('main, main *:not(input)')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
    .filter((each) => each === document.documentElement || /auto|scroll/.test(getComputedStyle(each).overflowX)).length`
  expect(await page.evaluate(overflow)).toBe(0)
  const chosen = page.getByRole('combobox', { name: 'Agent' })
  await owner.show('/agents', 'Agents')
  await owner.show('/playground', 'Playground')
  await expect.poll(() => chosen.inputValue(), pagePatience).toBe(name)
})

test('the panels and cards of the playground are accessible in both themes [CNS-29]', () => {
  expect(inspection.found).toEqual({
    events: [],
    'pending call': [],
    'example questions': [],
    variables: [],
  })
  expect(owner.pageErrors).toEqual([])
})
