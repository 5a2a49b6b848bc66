import type { Page as Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, openConsole, pagePatience } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import {
  callerNumber,
  ownNumber,
  type PhoneService,
  startPhoneService,
} from '../../support/telephone/phone-service.js'

/** Other tests use the machine at the same time. */
const timeout = 120_000

let phone: PhoneService
let owner: OpenConsole
let page: Browser

beforeAll(async () => {
  phone = await startPhoneService()
  owner = await openConsole(phone, { as: await signedIn(phone, 'owner') })
  page = owner.page
}, timeout)

afterAll(() => phone.close())

const rowWith = (words: string | RegExp) =>
  page.getByRole('table', { name: 'Calls' }).getByRole('row').filter({ hasText: words })
const drawer = (name: string) => page.getByRole('dialog', { name })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

test('shows an incoming call when it is answered, presses keys, transfers it, and shows its end [CNS-63] [CNS-64]', {
  timeout,
}, async () => {
  await owner.show('/calls', 'Calls')
  const { callSid, stream } = await phone.incoming()
  const taken = phone.twilio.calls.length
  await rowWith(callerNumber).filter({ hasText: 'Active' }).click()
  await page.getByRole('heading', { name: 'Call', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'View transcript' }).waitFor()
  await press('Press keys')
  const keys = drawer('Press keys').getByRole('textbox', { name: 'Keys' })
  await keys.fill('12+')
  await drawer('Press keys').getByRole('button', { name: 'Press keys' }).click()
  await drawer('Press keys').getByText('Must be 1 to 32 keys').waitFor()
  await keys.fill('12 #')
  const asked = page.waitForRequest(/\/digits$/)
  // Twilio receives keys as tones, and the agent is silent.
  const tones = stream.take('media')
  await drawer('Press keys').getByRole('button', { name: 'Press keys' }).click()
  expect((await asked).postDataJSON()).toEqual({ digits: '12#' })
  await page.getByText('The keys are being pressed.').waitFor()
  await tones
  await press('Transfer')
  const number = drawer('Transfer call').getByRole('combobox', { name: 'Number' })
  await number.fill('+441234567')
  await drawer('Transfer call').getByRole('button', { name: 'Transfer call' }).click()
  await page.getByText('must begin with one of the allowedPrefixes').first().waitFor()
  await number.fill('')
  await page.getByRole('option', { name: 'Porter (+4930111111)' }).click()
  await drawer('Transfer call').getByRole('button', { name: 'Transfer call' }).click()
  const request = await phone.twilio.nextCall()
  expect(request.path).toContain(callSid)
  expect(request.form.get('Twiml')).toContain('+4930111111')
  expect(phone.twilio.calls).toHaveLength(taken + 1)
  await page.getByText('The call was transferred.').waitFor()
})

test('calls a number from the page of an agent, and hangs up [CNS-64]', { timeout }, async () => {
  await owner.show(`/agents/${phone.agentId}`, /./)
  await press('Call')
  const call = drawer('New call')
  const to = call.getByRole('textbox', { name: 'To' })
  await to.fill('+441234567')
  await call.getByRole('textbox', { name: 'Additional instructions' }).fill('Confirm the booking.')
  await call.getByRole('combobox', { name: 'If a voicemail answers' }).click()
  await page.getByRole('option', { name: 'The agent hangs up' }).click()
  await call.getByRole('textbox', { name: 'External user ID' }).fill('guest-17')
  await call.getByRole('button', { name: 'Call', exact: true }).click()
  // The service knows the allowed numbers.
  await page.getByText('must begin with one of the allowedPrefixes').first().waitFor()
  await to.fill('+49 30 654321')
  const asked = page.waitForRequest(/\/call$/)
  await call.getByRole('button', { name: 'Call', exact: true }).click()
  expect((await asked).postDataJSON()).toMatchObject({ to: '+4930654321', voicemail: 'hang_up' })
  await page.getByRole('heading', { name: 'Call', level: 1 }).waitFor()
  const { form } = await phone.twilio.nextCall()
  expect([form.get('To'), form.get('From')]).toEqual(['+4930654321', ownNumber])
  await page.getByText('Ringing').waitFor()
  await page.getByRole('link', { name: 'guest-17' }).waitFor()
  await press('Hang up')
  await page.getByRole('dialog', { name: 'Hang up?' }).getByRole('button', { name: 'Hang up' }).click()
  await page.getByText('A user or an API key ended the call.').waitFor()
  await page.getByRole('link', { name: 'Back to calls' }).click()
  await rowWith('+4930654321').filter({ hasText: 'Stopped' }).waitFor()
})

test('shows mistakes of a new call at their fields, and calls from the page of calls [CNS-64]', {
  timeout,
}, async () => {
  await owner.show('/calls', 'Calls')
  await press('New call')
  const call = drawer('New call')
  const to = call.getByRole('textbox', { name: 'To', exact: true })
  await to.fill('030 654321')
  await call.getByRole('button', { name: 'Call', exact: true }).click()
  await call.getByText('Agent is required').waitFor()
  await call.getByText('Must be a number in international format').waitFor()
  await call.getByRole('combobox', { name: 'Agent' }).and(page.locator(':focus')).waitFor()
  await call.getByRole('combobox', { name: 'Agent' }).click()
  await page.getByRole('option').first().click()
  await to.fill('+4930777777')
  await call.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByRole('heading', { name: 'Call', level: 1 }).waitFor()
  await phone.twilio.nextCall()
  await press('Hang up')
  await page.getByRole('dialog', { name: 'Hang up?' }).getByRole('button', { name: 'Hang up' }).click()
  await page.getByText('A user or an API key ended the call.').waitFor()
})

test('shows statistics of the calls in a period, with the filters of the list [CNS-65]', {
  timeout,
}, async () => {
  await owner.show('/calls', 'Calls')
  const statistics = page.getByRole('region', { name: 'Statistics' })
  await statistics.getByText('1 incoming, 2 outgoing').waitFor()
  await statistics.getByText('33%').waitFor()
  const table = statistics.getByRole('table', { name: 'Calls over time' })
  expect(await table.getByRole('row').count()).toBe(8)
  await table.getByRole('row', { name: / 3 1 \d+ s$/ }).waitFor()
  await page.getByRole('combobox', { name: 'Direction' }).click()
  await page.getByRole('option', { name: 'Outgoing' }).click()
  await statistics.getByText('0 incoming, 2 outgoing').waitFor()
  await statistics.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Last 30 days' }).click()
  await expect.poll(() => table.getByRole('row').count(), pagePatience).toBe(31)
  await statistics.getByText('0 incoming, 2 outgoing').waitFor()
  // The service has no statistics by state.
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Ended' }).click()
  await statistics.waitFor({ state: 'detached' })
})

test('creates a task that calls, runs it, and links to its call [CNS-66]', { timeout }, async () => {
  await owner.show('/tasks', 'Tasks')
  await page.getByRole('button', { name: 'New task' }).first().click()
  const task = drawer('New task')
  const choose = async (name: string, option: string) => {
    await task.getByRole('combobox', { name, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await task.getByRole('textbox', { name: 'Title' }).fill('Confirm booking B-204')
  await task.getByRole('combobox', { name: 'Agent' }).click()
  await page.getByRole('option').first().click()
  expect(await task.getByRole('textbox', { name: 'To', exact: true }).count()).toBe(0)
  await choose('Channel', 'Telephone call')
  await task.getByRole('textbox', { name: 'To', exact: true }).fill('030 888888')
  await choose('From', `Desk (${ownNumber})`)
  await task.getByRole('button', { name: 'Create task' }).click()
  await task.getByText('Must be a number in international format').waitFor()
  await task.getByRole('textbox', { name: 'To', exact: true }).fill('+49 30 888888')
  await task.getByRole('button', { name: 'Create task' }).click()
  await page.getByRole('row', { name: /Confirm booking B-204/ }).click()
  await press('Run')
  // The requests that end the calls of earlier tests come first.
  let { form } = await phone.twilio.nextCall()
  while (form.get('To') !== '+4930888888') ({ form } = await phone.twilio.nextCall())
  expect(form.get('From')).toBe(ownNumber)
  await page.getByRole('link', { name: 'View call' }).click()
  await page.getByRole('heading', { name: 'Call', level: 1 }).waitFor()
  await page.getByText('+4930888888').waitFor()
})

test('shows no button for calls to a role that may not make them [CNS-3] [CNS-64]', { timeout }, async () => {
  const viewing = await openConsole(phone, { as: await signedIn(phone, 'viewer') })
  await viewing.show('/calls', 'Calls')
  await viewing.page.getByRole('row', { name: /\+4930654321/ }).waitFor()
  expect(await viewing.page.getByRole('button', { name: 'New call' }).count()).toBe(0)
  await owner.show('/calls', 'Calls')
  await page.getByRole('button', { name: 'New call' }).waitFor()
  expect(viewing.pageErrors).toEqual([])
})
