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
