import type { Agent } from '@parley/contract'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Inspection, makeInspection } from '../../support/console/inspection.js'
import { openConsole, pagePatience } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const timeout = 60_000

const service = useQuestionService()
let page: Page
let inspection: Inspection
let agentId: string

beforeAll(async () => {
  agentId = await service.makeAgent({ name: 'Front desk' })
  const owner = await openConsole(service.running, { as: await signedIn(service.running, 'owner') })
  page = owner.page
  inspection = makeInspection(owner)
  await owner.show(`/agents/${agentId}?tab=settings`, 'Front desk')
})

const save = () => page.getByRole('button', { name: 'Save changes' })
const read = async () => (await service.running.client.call<Agent>('GET', `/api/v1/Agent/${agentId}`)).body

async function choose(option: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Memory' }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('adds and removes voice fallbacks [RT-53]', { timeout }, async () => {
  const group = page.getByRole('group', { name: 'Voice fallbacks' })
  await group.getByRole('button', { name: 'Add fallback' }).click()
  await page.getByRole('combobox', { name: 'Fallback 1 voice' }).fill('marin')
  await page.getByRole('textbox', { name: 'Fallback 1 first message' }).fill('I can take a message.')
  await inspection.inspect('voice fallbacks')
  await save().click()
  await expect.poll(read, pagePatience).toMatchObject({
    realtimeFallbacks: [{ model: null, voice: 'marin', firstMessage: 'I can take a message.' }],
  })
  await page.getByRole('button', { name: 'Remove fallback 1' }).click()
  await save().click()
  await expect.poll(read, pagePatience).toMatchObject({ realtimeFallbacks: [] })
})

test('edits memory, retention and limits of end users [CNS-61]', { timeout }, async () => {
  const settings = page.getByRole('region', { name: 'End users' })
  const box = (name: string) => settings.getByRole('textbox', { name })
  await choose('Facts')
  await box('Conversation retention').fill('14')
  await settings.getByText('No conversation would be removed now.').waitFor()
  await box('Questions per minute').fill('20')
  await box('Cost per day').fill('0.5')
  await save().click()
  await expect.poll(read, pagePatience).toMatchObject({
    memory: 'facts',
    conversationRetentionDays: 14,
    endUserLimits: { questionsPerMinute: 20, costPerDay: 0.5 },
  })
  await choose('Off')
  await box('Questions per minute').fill('')
  await save().click()
  await expect.poll(read, pagePatience).toMatchObject({ memory: 'off', endUserLimits: { costPerDay: 0.5 } })
})

test('the settings are accessible in both themes [CNS-29]', () => {
  expect(inspection.found).toEqual({ 'voice fallbacks': [] })
})
