import type { Page as Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, openConsole } from '../../support/console/open-console.js'
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

test('shows an incoming call when it is answered, transfers it, and shows its end [CNS-63] [CNS-64]', {
  timeout,
}, async () => {
  await owner.show('/calls', 'Calls')
  const { callSid } = await phone.incoming()
  const taken = phone.twilio.calls.length
  await rowWith(callerNumber).filter({ hasText: 'Active' }).click()
  await page.getByRole('heading', { name: 'Call', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'View transcript' }).waitFor()
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
  await call.getByRole('textbox', { name: 'External user ID' }).fill('guest-17')
  await call.getByRole('button', { name: 'Call', exact: true }).click()
  // The service knows the allowed numbers.
  await page.getByText('must begin with one of the allowedPrefixes').first().waitFor()
  await to.fill('+49 30 654321')
  await call.getByRole('button', { name: 'Call', exact: true }).click()
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

test('shows no button for calls to a role that may not make them [CNS-3] [CNS-64]', { timeout }, async () => {
  const viewing = await openConsole(phone, { as: await signedIn(phone, 'viewer') })
  await viewing.show('/calls', 'Calls')
  await viewing.page.getByRole('row', { name: /\+4930654321/ }).waitFor()
  expect(await viewing.page.getByRole('button', { name: 'New call' }).count()).toBe(0)
  await owner.show('/calls', 'Calls')
  await page.getByRole('button', { name: 'New call' }).waitFor()
  expect(viewing.pageErrors).toEqual([])
})
