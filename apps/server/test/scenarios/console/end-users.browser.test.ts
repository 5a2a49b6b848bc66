import { readFile } from 'node:fs/promises'
import type { EndUser } from '@parley/contract'
import type { Page as Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { fillHotel, type Hotel } from '../../support/console/hotel.js'
import { type OpenConsole, openConsole, pagePatience } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { ask } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const service = useQuestionService()
/** Other tests use the machine at the same time. */
const timeout = 120_000

/** Filled in the first test. */
let hotel: Hotel
let owner: OpenConsole
let page: Browser

beforeAll(async () => {
  owner = await openConsole(service.running, { as: await signedIn(service.running, 'owner') })
  page = owner.page
}, timeout)

const rowWith = (table: string, words: string | RegExp) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: words })
const gone = (table: string, words: string) => rowWith(table, words).waitFor({ state: 'detached' })
const readGuest = async () =>
  (await service.running.client.call<EndUser>('GET', `/api/v1/EndUser/${hotel.endUserId}`)).body

async function filterMetadata(condition: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Metadata' })
  await field.fill(condition)
  await field.press('Enter')
}

test('finds an end user by name and metadata, and lists conversations and sessions [CNS-57]', {
  timeout,
}, async () => {
  hotel = await fillHotel(service)
  service.model.answer({ text: 'Hello.' })
  await ask(service.running, hotel.agentId, {
    question: 'Is the pool open?',
    externalUserId: 'guest-18',
    metadata: { channel: 'phone' },
  })
  await owner.show('/end-users', 'End users')
  await rowWith('End users', 'guest-18').waitFor()
  await page.getByRole('textbox', { name: 'Search end users' }).fill('hopper')
  await gone('End users', 'guest-18')
  await page.getByRole('textbox', { name: 'Search end users' }).fill('')
  await rowWith('End users', 'guest-18').waitFor()
  await filterMetadata('vip')
  await page.getByText('Write a key and a value').waitFor()
  await filterMetadata('vip=true')
  await gone('End users', 'guest-18')
  await rowWith('End users', /Grace Hopper.*guest-17/).click()
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
  await page.getByRole('tab', { name: 'Conversations' }).click()
  await rowWith('Conversations', 'When is breakfast?').waitFor()
  expect(await rowWith('Conversations', 'Is the pool open?').count()).toBe(0)
  await page.getByRole('tab', { name: 'Sessions' }).click()
  await rowWith('Sessions', 'Client disconnected').click()
  await page.getByRole('heading', { name: 'Session', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Grace Hopper' }).click()
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
})

test('edits name and metadata of an end user, and shows mistakes at their row [CNS-57]', {
  timeout,
}, async () => {
  await owner.show(`/end-users/${hotel.endUserId}`, 'Grace Hopper')
  await page.getByRole('button', { name: 'Edit' }).click()
  const drawer = page.getByRole('dialog', { name: 'Edit end user' })
  const box = (name: string) => drawer.getByRole('textbox', { name, exact: true })
  await box('Name').fill('Admiral Hopper')
  const keys = await drawer
    .getByRole('textbox', { name: /^Metadata \d key$/ })
    .evaluateAll((fields) => fields.map((field) => (field as { value?: string }).value))
  const rowOf = (key: string) => keys.indexOf(key) + 1
  await box(`Metadata ${rowOf('nights')} value`).fill('many')
  await drawer.getByRole('button', { name: 'Save changes' }).click()
  await drawer.getByText('Must be a number').waitFor()
  await box(`Metadata ${rowOf('nights')} value`).fill('4')
  await drawer.getByRole('button', { name: `Remove metadata ${rowOf('language')}` }).click()
  await drawer.getByRole('button', { name: 'Add metadata' }).click()
  await box('Metadata 3 key').fill('plan')
  await box('Metadata 3 value').fill('12')
  await drawer.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Admiral Hopper', level: 1 }).waitFor()
  expect(await readGuest()).toMatchObject({
    name: 'Admiral Hopper',
    metadata: { vip: true, nights: 4, plan: '12' },
  })
})

test('filters conversations and sessions by end user and metadata, and keeps the filter in the URL [CNS-57]', {
  timeout,
}, async () => {
  await owner.show('/conversations', 'Conversations')
  await rowWith('Conversations', 'Is the pool open?').waitFor()
  await filterMetadata('channel=web')
  await gone('Conversations', 'Is the pool open?')
  await rowWith('Conversations', /Whose is booking 4711\?.*guest-17/).waitFor()
  expect(page.url()).toContain('Metadata.channel=web')
  await page.reload()
  await rowWith('Conversations', 'Whose is booking 4711?').click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('region', { name: 'Metadata' }).getByText('channel').waitFor()
  await page
    .getByRole('link', { name: /Hopper/ })
    .first()
    .waitFor()

  await owner.show('/sessions', 'Sessions')
  await page.getByRole('region', { name: 'Metrics' }).waitFor()
  await page.getByRole('combobox', { name: 'End user' }).fill('18')
  await page.getByRole('option', { name: 'guest-18' }).click()
  await page.getByText('No matching sessions').waitFor()
  expect(await page.getByRole('region', { name: 'Metrics' }).count()).toBe(0)
  await page.getByRole('combobox', { name: 'End user' }).fill('17')
  await page.getByRole('option', { name: /guest-17/ }).click()
  await rowWith('Ended sessions', 'Client disconnected').waitFor()
  await expect
    .poll(() => page.getByRole('combobox', { name: 'End user' }).inputValue(), pagePatience)
    .toBe('Admiral Hopper (guest-17)')
  expect(owner.pageErrors).toEqual([])
})

test('shows usage, and adds, edits and deletes facts about an end user [CNS-60]', { timeout }, async () => {
  const connection = { name: 'Engine', kind: 'embedded' }
  const { body } = await service.running.client.call('POST', '/api/v1/Connection', { body: connection })
  const guideId = await service.makeAgent({ name: 'Guide', memory: 'facts', connectionId: body.id })
  await owner.show(`/end-users/${hotel.endUserId}?tab=usage`, /Hopper/)
  await page.getByRole('region', { name: 'Tokens by day' }).waitFor()
  await page.getByRole('tab', { name: 'Memory' }).click()
  await page.getByText('No facts yet').waitFor()
  await page
    .getByRole('note')
    .getByText(/built-in text model.*Guide/)
    .waitFor()
  await page.getByRole('button', { name: 'Add fact' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('textbox', { name: 'Fact' }).fill('Likes a high floor.')
  await drawer.getByRole('button', { name: 'Add fact' }).click()
  await drawer.getByText('Agent is required').waitFor()
  await drawer.getByRole('combobox', { name: 'Agent' }).click()
  await page.getByRole('option', { name: 'Blue Hotel desk' }).click()
  await drawer.getByRole('button', { name: 'Add fact' }).click()
  await rowWith('Facts', /Likes a high floor.*Added manually/).click()
  await drawer.getByRole('textbox', { name: 'Fact' }).fill('Likes the ground floor.')
  await drawer.getByRole('button', { name: 'Save changes' }).click()
  await rowWith('Facts', 'Likes the ground floor.').click()
  await drawer.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog', { name: 'Delete fact?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No facts yet').waitFor()
  await owner.show(`/agents/${guideId}`, 'Guide')
  await page.getByText('The built-in text model neither extracts nor uses facts.').waitFor()
})

test('sets the retention of conversations, and counts the affected ones [CNS-61]', {
  timeout,
}, async () => {
  await owner.show('/organization/settings', 'Settings')
  const days = page.getByRole('textbox', { name: 'Retention' })
  await days.fill('40000')
  await page.getByText('Must be from 1 to 36,500 days').waitFor()
  await days.fill('30')
  await page.getByText('No conversation would be removed now.').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Settings saved.').waitFor()
  const { body } = await service.running.client.call('GET', '/api/v1/ConversationRetention')
  expect(body).toEqual({ conversationRetentionDays: 30 })
})

test('exports an end user, and erases one after the external ID is typed [CNS-60]', { timeout }, async () => {
  await owner.show(`/end-users/${hotel.endUserId}`, /Hopper/)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const lines = (await readFile(await (await saving).path(), 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).table)).toContain('conversation')

  await page.getByRole('button', { name: 'Erase' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase end user?' })
  const erase = dialog.getByRole('button', { name: 'Erase end user' })
  const typed = dialog.getByRole('textbox', { name: 'Type the external ID to confirm' })
  await typed.fill('guest-18')
  expect(await erase.isDisabled()).toBe(true)
  await typed.fill('guest-17')
  await erase.click()
  await page.getByRole('heading', { name: 'End user', level: 1, exact: true }).waitFor()
  await page.getByText('End user erased').waitFor()
  await owner.show('/end-users', 'End users')
  await rowWith('End users', 'guest-18').waitFor()
  expect(await rowWith('End users', 'guest-17').count()).toBe(0)
})
