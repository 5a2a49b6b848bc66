import { generateKeyPairSync } from 'node:crypto'
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
const box = (name: string) => page.getByRole('dialog').getByRole('textbox', { name, exact: true })
const press = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const tags = (name: string) => page.getByRole('dialog').getByRole('combobox', { name })
const copied = (label: string) => page.locator(`[data-copy="${label}"]`).innerText()
const choose = async (name: string, option: string) => {
  await page.getByRole('dialog').getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const openNew = async (kind: string) => {
  await page.getByRole('button', { name: 'New phone connection' }).click()
  await choose('Kind', kind)
}
const addTo = async (name: string, text: string) => {
  await tags(name).fill(text)
  await tags(name).press('Enter')
}

test('creates, tests and changes a phone connection, and shows mistakes at their fields [CNS-62]', {
  timeout,
}, async () => {
  await owner.show('/calls', 'Calls')
  await page.getByRole('link', { name: 'Set up a phone connection' }).waitFor()
  await owner.show('/phone-numbers', 'Phone numbers')
  await page.getByRole('button', { name: 'Set up a phone connection' }).click()
  await openNew('Twilio')
  await box('Name').fill('Hotel account')
  await box('Account SID').fill('AC 1')
  await press('Create phone connection')
  await page.getByText('Must consist of letters, digits, underscores, hyphens, dots or plus signs').waitFor()
  await box('Account SID').fill('AC1')
  await box('Auth Token').fill('an-auth-token')
  await addTo('Allowed numbers for outgoing calls', '0049')
  await page.getByText('Must be beginnings of numbers').waitFor()
  await tags('Allowed numbers for outgoing calls').press('Backspace')
  await addTo('Allowed numbers for outgoing calls', '+49')
  await box('Price of an incoming minute').fill('0.0085')
  await page.getByRole('checkbox', { name: 'Quiet hours' }).check()
  await box('Time zone').fill('Europe/Nowhere')
  await press('Advanced settings')
  await box('Base URL').fill(service.tools.url)
  await press('Create phone connection')
  // The service knows the time zones.
  await page.getByText('must be an IANA time zone such as Europe/Berlin').first().waitFor()
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
    pricePerMinute: { incoming: 0.0085, outgoing: null },
    quietHours: { from: '21:00', to: '08:00', timeZone: 'Europe/Berlin' },
  })
  for (const path of ['answer', 'status'])
    expect(await copied(`${path} URL`)).toBe(`${service.running.url}/phone/${connection?.id}/${path}`)

  const asked = service.tools.expect('GET /2010-04-01/Accounts/AC1.json', { status: 401 })
  await press('Test connection')
  await page.getByText('Twilio rejected the credentials').first().waitFor()
  await asked
  await rowWith('Phone connections', 'Failed').waitFor()
  await box('Auth Token').fill('another-auth-token')
  expect(await box('Price of an incoming minute').inputValue()).toBe('$ 0.0085')
  await box('Price of an incoming minute').fill('')
  await press('Save changes')
  await page.getByRole('button', { name: 'Test connection' }).isEnabled()
  await rowWith('Phone connections', 'Unknown').waitFor()
  expect((await list<PhoneConnection>('PhoneConnection'))[0]?.pricePerMinute).toBe(null)
  const again = service.tools.expect('GET /2010-04-01/Accounts/AC1.json')
  await press('Test connection')
  await page.getByText('Phone connection works').waitFor()
  await again
  await rowWith('Phone connections', 'Ready').waitFor()
  await press('Cancel')
})

test('creates a SIP connection, unfolds mistakes, and keeps the password when it changes [CNS-62]', {
  timeout,
}, async () => {
  await openNew('SIP')
  await box('Name').fill('Front desk')
  await box('Host').fill('sip.example.invalid:5071')
  await box('User name').fill('4930123456')
  await box('Password').fill('a password')
  await press('Advanced settings')
  await box('Domain').fill('example.invalid')
  await box('Local port').fill('80')
  await box('Public address').fill('10.0.0.256')
  await press('Advanced settings')
  await press('Create phone connection')
  for (const message of [
    'Must be a host name or an IPv4 address',
    'Must contain only printable characters, without spaces',
    // A mistake unfolds the fields.
    'Must be an IPv4 address',
    'Must be a number from 1024 to 65535',
  ])
    await page.getByText(message, { exact: true }).waitFor()
  await box('Host').and(page.locator(':focus')).waitFor()
  await box('Host').fill('sip.example.invalid')
  await box('Port').fill('5071')
  await choose('Transport', 'TLS')
  await choose('Audio encryption', 'Required')
  await box('Password').fill('a-password')
  await choose('Caller ID', 'P-Preferred-Identity')
  await choose('Number format', '4930123456')
  await box('Public address').fill('')
  await box('Local port').fill('5080')
  await press('Create phone connection')
  await page.getByRole('heading', { name: 'Front desk' }).waitFor()
  const sip = {
    ...{ host: 'sip.example.invalid', port: 5071, transport: 'tls', encryption: 'required' },
    ...{ registers: true, domain: 'example.invalid', loginName: null, publicAddress: null },
    ...{ localPort: 5080, callerId: 'p_preferred_identity', numberFormat: 'digits' },
  }
  const stored = async () =>
    (await list<PhoneConnection>('PhoneConnection')).find(({ name }) => /^Front desk/.test(name))
  expect(await stored()).toMatchObject({ kind: 'sip', hasSecret: true, baseUrl: null, sip })
  await page.locator('[data-copy]').first().waitFor({ state: 'detached' })

  await box('Name').fill('Front desk 2')
  await box('Port').fill('')
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Register with the host' }).uncheck()
  await press('Save changes')
  await page.getByText('Required with TLS').waitFor()
  await choose('Transport', 'TCP')
  await press('Save changes')
  await page.getByRole('heading', { name: 'Front desk 2' }).waitFor()
  const changed = { ...sip, port: null, registers: false, transport: 'tcp' }
  expect(await stored()).toMatchObject({ hasSecret: true, sip: changed })

  await box('Host').fill('other.example.invalid')
  await page.getByText('The account changed. Enter it again.').waitFor()
  await box('Host').fill('sip.example.invalid')
  await page.getByText('Stored. Enter a new one to replace it.').waitFor()
  await press('Cancel')
})

test('creates a Vonage connection with a private key of several lines [CNS-62]', { timeout }, async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await openNew('Vonage')
  await box('Name').fill('Vonage account')
  await box('Application ID').fill('78d335fa-323d-0114-9c3d-d6f0d48968cf')
  await box('Private key').fill('not-a-key')
  await box('Signature secret').fill('a signature secret')
  await press('Create phone connection')
  await page.getByText('Must be a key in PEM format, with its BEGIN and END lines').waitFor()
  await page.getByText('Must contain only printable characters, without spaces').waitFor()
  await box('Private key').fill(`\n${key}`)
  await box('Signature secret').fill('a-signature-secret')
  await press('Create phone connection')
  await page.getByRole('heading', { name: 'Vonage account' }).waitFor()
  const stored = async () =>
    (await list<PhoneConnection>('PhoneConnection')).find(({ kind }) => kind === 'vonage')
  const created = await stored()
  expect(created).toMatchObject({ hasSecret: true, hasWebhookSecret: true, sip: null })
  expect(await copied('event URL')).toBe(`${service.running.url}/phone/${created?.id}/status`)
  expect(await box('Private key').inputValue()).toBe('')

  await box('Max concurrent calls').fill('3')
  await press('Save changes')
  await expect.poll(async () => (await stored())?.maxCalls, pagePatience).toBe(3)
  expect(await stored()).toMatchObject({ hasSecret: true, hasWebhookSecret: true })
  await press('Cancel')
})

test('shows the files of an Asterisk, which only receives calls [CNS-62]', { timeout }, async () => {
  await openNew('Asterisk')
  await box('Name').fill('Annex')
  await box('User name').fill('annex')
  await box('Password').fill('a-password')
  expect(await tags('Allowed numbers for outgoing calls').count()).toBe(0)
  expect(await box('Max outgoing calls per hour').count()).toBe(0)
  await press('Create phone connection')
  await page.getByRole('heading', { name: 'Annex' }).waitFor()
  const [made] = (await list<PhoneConnection>('PhoneConnection')).filter(({ kind }) => kind === 'asterisk')
  const url = `${service.running.url.replace('http', 'ws')}/phone/${made?.id}/media`
  expect(await copied('media URL')).toBe(url)
  const file = await copied('websocket_client.conf')
  expect(file).toContain(`uri = ${url}\n`)
  expect(file).toContain('username = annex\n')
  expect(await copied('extensions.conf')).toMatch(/^exten => .*Dial\(WebSocket\/parley\/c\(ulaw\)nv\(id=/)
  await press('Cancel')
})

test('creates, changes and deletes a phone number [CNS-62]', { timeout }, async () => {
  await service.makeAgent({ name: 'Blue Hotel desk' })
  await owner.show('/calls', 'Calls')
  await page.getByRole('link', { name: 'Set up a phone number' }).click()
  await page.getByRole('button', { name: 'New phone number' }).click()
  await box('Name').fill('Reception')
  await box('Number').fill('030 123456')
  await box('Language').fill('German')
  await press('Create phone number')
  await page.getByText('Must be a number in international format').waitFor()
  await page.getByText('Must be a language tag, such as en or en-GB').waitFor()
  await box('Number').fill('+49 (30) 123-456')
  await box('Language').fill('de-AT')
  for (const [name, option] of [
    ['Phone connection', 'Hotel account'],
    ['Agent', 'Blue Hotel desk'],
    ['The agent answers', 'After a silence'],
  ] as const) {
    await choose(name, option)
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
    ...{ number: '+4930123456', language: 'de-AT', blockedCallers: ['+1900'], allowedCallers: [] },
    turnDetection: { type: 'server_vad', silenceMilliseconds: 700 },
    transferTargets: [{ name: 'Night porter', number: '+4930654321' }],
  })
  await page.getByRole('dialog').getByRole('combobox', { name: 'The agent answers' }).click()
  await page.getByRole('option', { name: 'After a finished sentence' }).click()
  await box('Language').fill('')
  await press('Save changes')
  await expect
    .poll(async () => (await list<PhoneNumber>('PhoneNumber'))[0]?.turnDetection, pagePatience)
    .toEqual({ type: 'semantic_vad', eagerness: 'high' })
  expect((await list<PhoneNumber>('PhoneNumber'))[0]?.language).toBe(null)

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
  await page.getByText('Call +4930123456. The call appears here when it rings.').waitFor()
  const id = await addCall('+4989123456')
  await rowWith('Calls', /\+4989123456.*Reception.*Blue Hotel desk.*Active/).waitFor()
  await page.getByRole('combobox', { name: 'Direction' }).click()
  await page.getByRole('option', { name: 'Outgoing' }).click()
  await page.getByText('No matching calls').waitFor()
  await page.getByRole('combobox', { name: 'Direction' }).click()
  await page.getByRole('option', { name: 'Incoming' }).click()
  await page.getByRole('combobox', { name: 'End reason' }).click()
  await page.getByRole('option', { name: 'Busy' }).click()
  await page.getByText('No matching calls').waitFor()
  await owner.show('/calls', 'Calls')
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
  await page.getByText('Calls ended: 1. Phone connections disabled: 4.').waitFor()
  expect(await isStopping(id)).toBe(true)
  await owner.show('/phone-numbers?tab=connections', 'Phone numbers')
  await rowWith('Phone connections', /Hotel account.*Off/).waitFor()
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
