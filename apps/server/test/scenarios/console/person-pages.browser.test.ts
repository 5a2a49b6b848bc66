import { Secret, TOTP } from 'otpauth'
import type { Page as Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { type OpenConsole, openConsole } from '../../support/console/open-console.js'
import { useService } from '../../support/http/use-service.js'
import { addOrganization } from '../../support/organizations.js'
import { addMember, makeVisitor, password, signedIn } from '../../support/people/signed-in.js'
import { startTcpProxy } from '../../support/services/tcp-proxy.js'

const http = useService()
/** Other tests use the machine at the same time. */
const timeout = 60_000

const accountButton = (page: Browser) => page.getByRole('button', { name: /Account and organizations/ })
const pageLink = (page: Browser, name: string) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true })
const taskRow = (page: Browser, title: string) =>
  page.getByRole('table', { name: 'Tasks' }).getByRole('row', { name: title })
const addTask = (title: string, client = http.client) =>
  client.call('POST', '/api/v1/Task', { body: { title } })

/** Owner of one organization and viewer of the other. */
let kim: OpenConsole
let greenClient: ApiClient

beforeAll(async () => {
  const { running } = http
  const green = await addOrganization(running, 'Green Hotel')
  greenClient = running.client.as(green)
  const as = await signedIn(running, 'owner')
  await addMember(running.service.database.stores, {
    ...{ organizationId: green.organizationId, personId: as.person.id, role: 'viewer' },
  })
  kim = await openConsole(running, { as })
}, timeout)

const focused = (page: Browser) =>
  page.evaluate<string>('document.activeElement.id || document.activeElement.textContent')

test('finds pages and agents by name with the keyboard, and from the menu on a phone [CNS-36]', {
  timeout,
}, async () => {
  const { page, show, pageErrors } = kim
  await http.client.call('POST', '/api/v1/Agent', { body: { name: 'Night porter' } })
  const find = page.getByRole('textbox', { name: 'Search pages and agents' })
  await show('/tasks', 'Tasks')
  await page.keyboard.press('Control+k')
  await find.waitFor()
  await page.keyboard.type('audit')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
  await expect.poll(() => focused(page), { timeout: 60_000 }).toBe('main')

  await page.keyboard.press('/')
  await find.fill('porter')
  await page.getByRole('button', { name: 'Night porter' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Night porter', level: 1 }).waitFor()
  await expect.poll(() => focused(page), { timeout: 60_000 }).toBe('main')

  await pageLink(page, 'Files').focus()
  await page.keyboard.press('Control+k')
  await find.waitFor()
  await page.keyboard.press('Escape')
  await find.waitFor({ state: 'hidden' })
  await expect.poll(() => focused(page), { timeout: 60_000 }).toBe('Files')

  await page.setViewportSize({ width: 390, height: 844 })
  await pageLink(page, 'Conversations').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Menu' }).click()
  await pageLink(page, 'Conversations').click()
  await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor()
  await pageLink(page, 'Conversations').waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 1280, height: 720 })
  expect(pageErrors).toEqual([])
})

test('warns once per session about wrong codes that came with the right password [PPL-30]', {
  timeout,
}, async () => {
  const as = await signedIn(http.running, 'builder', undefined, {
    wrongCodes: 12,
    wrongCodesSince: '2026-11-02T08:00:00.000Z',
  })
  const { page, show, pageErrors } = await openConsole(http.running, { as })
  await show('/tasks', 'Tasks')
  const notice = page.getByRole('alert').filter({ hasText: 'Someone may know your password' })
  await notice.getByText(/12 wrong codes were entered with your password since .*2026/).waitFor()
  await notice.getByRole('link', { name: 'Change password' }).click()
  await page.getByRole('heading', { name: 'Account settings', level: 1 }).waitFor()
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'Account settings', level: 1 }).waitFor()
  expect(await notice.count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('switches between the organizations of a user [CNS-30]', {
  timeout,
}, async () => {
  const { page, show, pageErrors } = kim
  await addTask('Water the plants')
  await addTask('Feed the cat', greenClient)
  await show('/tasks', 'Tasks')
  await taskRow(page, 'Water the plants').waitFor()
  expect(await taskRow(page, 'Feed the cat').count()).toBe(0)

  await accountButton(page).click()
  await page.getByRole('menuitem', { name: /Green Hotel/ }).click()
  // The first page of a viewer. A viewer has no playground.
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  await pageLink(page, 'Tasks').click()
  await taskRow(page, 'Feed the cat').waitFor()
  expect(await taskRow(page, 'Water the plants').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'New task' }).count()).toBe(0)
  await page.reload()
  await taskRow(page, 'Feed the cat').waitFor()
  // The live stream belongs to the new organization too.
  await addTask('Call the vet', greenClient)
  await taskRow(page, 'Call the vet').waitFor()
  expect(pageErrors).toEqual([])
})

interface Credentials {
  readonly email: string
  readonly password: string
}

async function signIn(page: Browser, credentials: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(credentials.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(credentials.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function giveCode(page: Browser, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Authentication code' }).fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function openAccount(page: Browser): Promise<void> {
  await accountButton(page).click()
  await page.getByRole('menuitem', { name: 'Account settings' }).click()
  await page.getByRole('heading', { name: 'Account settings', level: 1 }).waitFor()
}

test('ends a session, changes the password, sets up two-factor authentication and signs in with it [CNS-31] [CNS-45]', {
  timeout,
}, async () => {
  const { running } = http
  const elsewhere = await signedIn(running, 'owner')
  const { email } = elsewhere.person
  const newPassword = 'another sentence to remember'
  const { page, show } = await openConsole(running)
  await show('/', 'Sign in')
  await signIn(page, { email, password })
  await openAccount(page)
  const section = (name: string) => page.getByRole('region', { name })

  const browsers = section('Active sessions').getByRole('listitem')
  expect(await browsers.filter({ hasText: 'This browser' }).innerText()).toMatch(/Chrome on/)
  await browsers.filter({ hasText: 'Unknown browser' }).getByRole('button', { name: 'Sign out' }).click()
  await browsers.filter({ hasText: 'Unknown browser' }).waitFor({ state: 'detached' })
  expect((await elsewhere.call('GET', '/api/v1/Me')).status).toBe(401)

  const other = makeVisitor(running)
  expect((await other.call('POST', '/api/v1/SignIn', { body: { email, password } })).status).toBe(200)
  await section('Password').getByLabel('Current password').fill('not the right one')
  await section('Password').getByLabel('New password').fill(newPassword)
  await section('Password').getByRole('button', { name: 'Change password' }).click()
  await section('Password').getByRole('alert').waitFor()
  await section('Password').getByLabel('Current password').fill(password)
  await section('Password').getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password updated').waitFor()
  expect((await other.call('GET', '/api/v1/Me')).status).toBe(401)

  const { totp, recoveryCodes } = await setUpSecondFactor(page, newPassword)
  await section('Two-factor authentication').getByText('Enabled. 10 recovery codes left.').waitFor()

  const second = await openConsole(running)
  await second.show('/', 'Sign in')
  await expectNothingToMove(second, async () => {
    const refused = second.page.waitForResponse((answer) => answer.request().method() === 'POST')
    await signIn(second.page, { email, password })
    const requestId = (await refused).headers()['x-request-id']
    await second.page.getByRole('alert').getByText(`Request ${requestId}`).waitFor()
  })
  await signIn(second.page, { email, password: newPassword })
  // The TOTP step of the confirmation is already used, so this is the next one.
  await giveCode(second.page, totp.generate({ timestamp: Date.now() + 30_000 }))
  await accountButton(second.page).click()
  const loaded = second.page.waitForEvent('load')
  await second.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await loaded
  await signIn(second.page, { email, password: newPassword })
  await giveCode(second.page, recoveryCodes[0] ?? '')
  await openAccount(second.page)
  await second.page.getByText('Enabled. 9 recovery codes left.').waitFor()
})

async function setUpSecondFactor(page: Browser, given: string) {
  const section = page.getByRole('region', { name: 'Two-factor authentication' })
  await section.getByLabel('Your password').fill(given)
  await section.getByRole('button', { name: 'Set up' }).click()
  await section.getByRole('img', { name: 'QR code' }).waitFor()
  const totp = new TOTP({ secret: Secret.fromBase32(await page.locator('[data-copy="secret"]').innerText()) })
  const wrong = totp.generate().replace(/^./, (digit) => String((Number(digit) + 1) % 10))
  await section.getByRole('textbox', { name: 'Digit 1 of 6' }).click()
  await page.keyboard.type(wrong)
  await section.getByRole('alert').waitFor()
  await expect
    .poll(() => page.evaluate<string>('document.activeElement.ariaLabel'), { timeout: 60_000 })
    .toBe('Digit 1 of 6')
  await page.keyboard.type(totp.generate())
  const recoveryCodes = (await page.locator('[data-copy="recovery codes"]').innerText()).split('\n')
  expect(new Set(recoveryCodes).size).toBe(10)
  await section.getByRole('button', { name: 'I have saved them' }).click()
  return { totp, recoveryCodes }
}

/** A failed sign-in must not move the layout. */
async function expectNothingToMove({ page }: OpenConsole, refuse: () => Promise<void>): Promise<void> {
  const places = async () =>
    Promise.all(
      ['Email', 'Password']
        .map((name) => page.getByRole('textbox', { name }).boundingBox())
        .concat(
          page.getByRole('button', { name: 'Sign in' }).boundingBox(),
          page.getByText('No account yet?').boundingBox(),
        ),
    )
  const before = await places()
  await refuse()
  expect(await places()).toEqual(before)
}

test('shows a change that was made before its live stream began [CNS-37]', { timeout }, async () => {
  const { running } = http
  const { page, show } = await openConsole(running, { as: await signedIn(running, 'viewer') })
  let begin: () => void = () => undefined
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve
  })
  await page.route('**/api/v1/Event', async (route) => {
    await mayBegin
    await route.continue()
  })
  await addTask('Read at once')
  await show('/tasks', 'Tasks')
  await taskRow(page, 'Read at once').waitFor()
  await addTask('Just missed')
  begin()
  await taskRow(page, 'Just missed').waitFor()
})

test('catches up after a lost connection, and offers to reload after an update [CNS-37]', {
  timeout,
}, async () => {
  const { running } = http
  const proxy = await startTcpProxy('127.0.0.1', Number(new URL(running.url).port))
  const url = proxy.rewriteUrl(running.url).replace(/\/$/, '')
  const { page, show } = await openConsole({ url }, { as: await signedIn(running, 'viewer') })
  await addTask('Before')
  await show('/tasks', 'Tasks')
  await taskRow(page, 'Before').waitFor()
  await page.evaluate('globalThis.isSamePage = true')
  const disconnect = async () => {
    await proxy.cut()
    await page.getByRole('status').getByText('Reconnecting').waitFor()
  }
  await disconnect()
  await addTask('Meanwhile')
  await proxy.restore()
  await taskRow(page, 'Meanwhile').waitFor()
  expect(await page.getByText('Parley was updated').count()).toBe(0)

  // Another build: its page names other files, and the old files are gone.
  await page.route(`${url}/`, async (route) => {
    const answer = await route.fetch().catch(() => null)
    // The page may send a request while it is still disconnected.
    if (answer === null) return route.abort()
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace('/index-', '/index-of-another-'),
    })
  })
  await page.route('**/assets/files-page*', (route) => route.fulfill({ status: 404 }))
  await disconnect()
  await proxy.restore()
  await page.getByText('Parley was updated').waitFor()
  await pageLink(page, 'Files').click()
  await page.getByText('Could not load this part of the console').waitFor()
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true)

  await page.unrouteAll()
  await page.getByRole('main').getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor()
  expect(await page.evaluate('globalThis.isSamePage')).toBeUndefined()
})
