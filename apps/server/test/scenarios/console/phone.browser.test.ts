import type { Page, PhoneCall, PhoneConnection, PhoneNumber } from '@parley/contract'
import type { Page as Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type OpenConsole, openConsole, pagePatience } from '../../support/console/open-console.js'
import { addPhoneCall, endPhoneCall } from '../../support/console/phone-desk.js'
import { signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const service = useQuestionService()
/** Other tests use the machine at the same time. */
const timeout = 120_000

let owner: OpenConsole
let page: Browser

beforeAll(async () => {
  owner = await openConsole(service.running, { as: await signedIn(service.running, 'owner') })
  page = owner.page
}, timeout)

const rowWith = (table: string, words: string | RegExp) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: words })
const list = async <Item>(resource: string) =>
  (await service.running.client.call<Page<Item>>('GET', `/api/v1/${resource}`)).body.items
const box = (name: string) => page.getByRole('dialog').getByRole('textbox', { name })
const press = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const tags = (name: string) => page.getByRole('dialog').getByRole('combobox', { name })
const addTo = async (name: string, text: string) => {
  await tags(name).fill(text)
  await tags(name).press('Enter')
}

test('creates, tests and changes a phone connection, and shows mistakes at their fields [CNS-62]', {
  timeout,
}, async () => {
  await owner.show('/phone-numbers', 'Phone numbers')
  await page.getByRole('button', { name: 'Set up a phone connection' }).click()
  await page.getByRole('button', { name: 'New phone connection' }).click()
  await box('Name').fill('Hotel account')
  await box('Account SID').fill('AC 1')
  await press('Create phone connection')
  await page.getByText('Must consist of letters, digits, underscores or hyphens').waitFor()
  await box('Account SID').fill('AC1')
  await box('Auth Token').fill('an-auth-token')
  await addTo('Allowed numbers for outgoing calls', '0049')
  await page.getByText('Must be beginnings of numbers').waitFor()
  await tags('Allowed numbers for outgoing calls').press('Backspace')
  await addTo('Allowed numbers for outgoing calls', '+49')
  await page.getByRole('checkbox', { name: 'Quiet hours' }).check()
  await box('Time zone').fill('Europe/Nowhere')
  await box('Base URL').fill(service.tools.url)
  await press('Create phone connection')
  // The service knows the time zones.
  await page.getByText('must be an IANA time zone, for example Europe/Berlin').first().waitFor()
  await box('Time zone').fill('Europe/Berlin')
  await press('Create phone connection')
  await page.getByRole('heading', { name: 'Hotel account' }).waitFor()
  const [connection] = await list<PhoneConnection>('PhoneConnection')
  expect(connection).toMatchObject({
    ...{
      name: 'Hotel account',
      accountId: 'AC1',
      hasSecret: true,
      allowedPrefixes: ['+49'],
      state: 'unknown',
    },
    quietHours: { from: '21:00', to: '08:00', timeZone: 'Europe/Berlin' },
  })
  expect(await page.locator('[data-copy="answer URL"]').innerText()).toBe(
    `${service.running.url}/phone/${connection?.id}/answer`,
  )

  const asked = service.tools.expect('GET /2010-04-01/Accounts/AC1.json', { status: 401 })
  await press('Test connection')
  await page.getByText('it rejected the account or its secret').first().waitFor()
  await asked
  await rowWith('Phone connections', /Failed.*rejected the account/).waitFor()
  await box('Auth Token').fill('another-auth-token')
  await press('Save changes')
  await page.getByRole('button', { name: 'Test connection' }).isEnabled()
  await rowWith('Phone connections', 'Not tested').waitFor()
  const again = service.tools.expect('GET /2010-04-01/Accounts/AC1.json')
  await press('Test connection')
  await page.getByText('Phone connection works').waitFor()
  await again
  await rowWith('Phone connections', 'Ready').waitFor()
  await press('Cancel')
})

test('creates, changes and deletes a phone number [CNS-62]', { timeout }, async () => {
  await service.makeAgent({ name: 'Blue Hotel desk' })
  await owner.show('/phone-numbers', 'Phone numbers')
  await page.getByRole('button', { name: 'New phone number' }).click()
  await box('Name').fill('Reception')
  await box('Number').fill('030 123456')
  await press('Create phone number')
  await page.getByText('Must be a number in international format').waitFor()
  await box('Number').fill('+49 (30) 123-456')
  for (const [name, option] of [
    ['Phone connection', 'Hotel account'],
    ['Agent', 'Blue Hotel desk'],
    ['The agent answers', 'After a silence'],
  ] as const) {
    await page.getByRole('dialog').getByRole('combobox', { name, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await box('Silence').fill('700')
  await addTo('Blocked callers', '+1900')
  await press('Add transfer target')
  await press('Create phone number')
  await page.getByText('Must be a number in international format').waitFor()
  await box('Transfer target 1 name').fill('Night porter')
  await box('Transfer target 1 number').fill('+49 30 654321')
  await press('Create phone number')
  await rowWith('Phone numbers', /Reception.*\+4930123456.*Blue Hotel desk.*Hotel account/).click()
  expect((await list<PhoneNumber>('PhoneNumber'))[0]).toMatchObject({
    ...{ number: '+4930123456', blockedCallers: ['+1900'], allowedCallers: [] },
    turnDetection: { type: 'server_vad', silenceMilliseconds: 700 },
    transferTargets: [{ name: 'Night porter', number: '+4930654321' }],
  })
  await page.getByRole('dialog').getByRole('combobox', { name: 'The agent answers' }).click()
  await page.getByRole('option', { name: 'After a finished sentence' }).click()
  await press('Save changes')
  await expect
    .poll(async () => (await list<PhoneNumber>('PhoneNumber'))[0]?.turnDetection, pagePatience)
    .toEqual({ type: 'semantic_vad', eagerness: 'high' })

  await page.getByRole('button', { name: 'New phone number' }).click()
  await box('Name').fill('Spa')
  await box('Number').fill('+4930999999')
  await press('Create phone number')
  await rowWith('Phone numbers', /Spa.*None: calls are rejected/).click()
  await press('Delete phone number')
  await page.getByRole('dialog', { name: 'Delete Spa?' }).getByRole('button', { name: 'Delete' }).click()
  await rowWith('Phone numbers', 'Spa').waitFor({ state: 'detached' })
})

async function addCall(from: string): Promise<string> {
  const [number] = await list<PhoneNumber>('PhoneNumber')
  const { id = '', phoneConnectionId, agentId } = number ?? {}
  return addPhoneCall(service.running, {
    ...{ direction: 'incoming', from, to: '+4930123456', agentId: agentId ?? '' },
    ...{ phoneNumberId: id, phoneConnectionId: phoneConnectionId ?? '' },
  })
}

const stores = () => service.running.service.database.stores.phoneCalls
const isStopping = async (id: string) =>
  (await stores().find(service.running.organizationId, id))?.endRequestedAt !== null

test('shows a call when it starts, filters the list, and hangs up [CNS-63]', { timeout }, async () => {
  await owner.show('/calls', 'Calls')
  await page.getByText('No calls yet').waitFor()
  const id = await addCall('+4989123456')
  await rowWith('Calls', /\+4989123456.*Reception.*Blue Hotel desk.*Active/).waitFor()
  await page.getByRole('combobox', { name: 'Direction' }).click()
  await page.getByRole('option', { name: 'Outgoing' }).click()
  await page.getByText('No matching calls').waitFor()
  await page.getByRole('combobox', { name: 'Direction' }).click()
  await page.getByRole('option', { name: 'Incoming' }).click()
  await rowWith('Calls', '+4989123456').click()
  await page.getByRole('heading', { name: 'Call', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Blue Hotel desk' }).waitFor()
  await page.getByRole('button', { name: 'Hang up' }).click()
  await page.getByRole('dialog', { name: 'Hang up?' }).getByRole('button', { name: 'Hang up' }).click()
  await expect.poll(() => isStopping(id), pagePatience).toBe(true)
  await endPhoneCall(service.running, id, 'stopped')
  await page.getByText('A user or an API key ended the call.').waitFor()
  await page.getByRole('button', { name: 'Hang up' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Back to calls' }).click()
  await rowWith('Calls', /\+4989123456.*Stopped/).waitFor()
})

test('stops all calls and disables the phone connections after a confirmation [CNS-63]', {
  timeout,
}, async () => {
  const id = await addCall('+4989765432')
  await owner.show('/calls', 'Calls')
  await rowWith('Calls', '+4989765432').waitFor()
  await page.getByRole('button', { name: 'Stop all calls' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop all calls?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await isStopping(id)).toBe(false)
  await page.getByRole('button', { name: 'Stop all calls' }).click()
  await dialog.getByRole('button', { name: 'Stop all calls' }).click()
  await page.getByText('Calls ended: 1. Phone connections disabled: 1.').waitFor()
  expect(await isStopping(id)).toBe(true)
  await owner.show('/phone-numbers?tab=connections', 'Phone numbers')
  await rowWith('Phone connections', 'Disabled').waitFor()
  expect(owner.pageErrors.filter((error) => !/400 \(Bad Request\)/.test(error))).toEqual([])
})

test('shows a viewer phone numbers and calls without buttons that change them [CNS-3]', {
  timeout,
}, async () => {
  const viewing = await openConsole(service.running, { as: await signedIn(service.running, 'viewer') })
  const [call] = await list<PhoneCall>('PhoneCall')
  await viewing.show(`/calls/${call?.id}`, 'Call')
  await viewing.page.getByText('Details').waitFor()
  await viewing.show('/calls', 'Calls')
  await viewing.page.getByRole('row', { name: /\+4989123456/ }).waitFor()
  expect(await viewing.page.getByRole('button', { name: /Stop all calls|Hang up/ }).count()).toBe(0)
  await viewing.show('/phone-numbers', 'Phone numbers')
  await viewing.page.getByRole('row', { name: /Reception/ }).click()
  const dialog = viewing.page.getByRole('dialog', { name: 'Reception' })
  await dialog.getByRole('button', { name: 'Close' }).last().waitFor()
  expect(await dialog.getByRole('button', { name: /Save|Delete|Add/ }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await viewing.page.getByRole('tab', { name: 'Connections' }).click()
  await viewing.page.getByRole('row', { name: /Hotel account/ }).click()
  await viewing.page.getByRole('dialog', { name: 'Hotel account' }).waitFor()
  expect(
    await viewing.page.getByRole('button', { name: /New|Save|Delete|Test connection|Stop all/ }).count(),
  ).toBe(0)
  expect(viewing.pageErrors).toEqual([])
})
