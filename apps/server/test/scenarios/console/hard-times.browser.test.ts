import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { fillTasks } from '../../support/console/fill-lists.js'
import { closeOverlays } from '../../support/console/hidden-parts.js'
import { type OpenConsole, openConsole, pagePatience } from '../../support/console/open-console.js'
import { useService } from '../../support/http/use-service.js'
import { type SignedInPerson, signedIn } from '../../support/people/signed-in.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'

/* The console with failing calls, ended sessions and very long lists. */

const http = useService()
/** Other tests use the machine at the same time. */
const timeout = 60_000

let builder: SignedInPerson
let console: OpenConsole
let agentId: string

beforeAll(async () => {
  const { body } = await http.client.call<{ id: string }>('POST', '/api/v1/Agent', {
    body: { name: 'Night porter' },
  })
  agentId = body.id
  await http.client.call('POST', '/api/v1/Task', { body: { title: 'Water the plants' } })
  builder = await signedIn(http.running, 'builder')
  console = await openConsole(http.running, { as: builder })
}, timeout)

interface Failure {
  readonly path: string
  readonly title: string | RegExp
  /** The call that the service rejects. */
  readonly call: string
  /** How the request is changed so that it fails. */
  readonly change: Parameters<Route['continue']>[0]
  /** The user action that sends the call. */
  readonly act?: (page: Page) => Promise<void>
  /** The element that shows the error. */
  readonly place: string
}

const unknown = '01900000-0000-7000-8000-000000000000'
const openTask = async (page: Page) => page.getByRole('row', { name: /Water the plants/ }).click()
const press = async (page: Page, name: string) => page.getByRole('button', { name }).last().click()

/** Every place that shows an error. */
const failures: Readonly<Record<string, () => Failure>> = {
  'in place of a list': () => ({
    ...{ path: '/files', title: 'Files', call: '/api/v1/TemporaryFile?*', place: 'main [role=alert]' },
    change: { url: `${http.running.url}/api/v1/TemporaryFile?Limit=0` },
  }),
  'in place of a page': () => ({
    ...{ path: `/agents/${agentId}`, title: /./, call: `/api/v1/Agent/${agentId}` },
    ...{ change: { headers: {} }, place: 'main [role=alert]' },
  }),
  'in a drawer, below the form': () => ({
    ...{ path: '/tasks', title: 'Tasks', call: '/api/v1/Task/*', place: '[role=dialog] [role=alert]' },
    change: { postData: '{ "titel": "Water the plants" }' },
    act: async (page) => {
      await openTask(page)
      await page.getByRole('textbox', { name: 'Title' }).fill('Water all plants')
      await press(page, 'Save')
    },
  }),
  'in a notification, for a button without room': () => ({
    ...{ path: '/tasks', title: 'Tasks', call: '/api/v1/Task/*', place: '.mantine-Notification-root' },
    change: { url: `${http.running.url}/api/v1/Task/${unknown}` },
    act: async (page) => {
      await openTask(page)
      await press(page, 'Delete task')
      await page.getByRole('dialog', { name: 'Delete task?' }).waitFor()
      await press(page, 'Delete task')
    },
  }),
  'in a notification, while the playground keeps the input': () => ({
    ...{ path: `/playground?agent=${agentId}`, title: 'Playground', call: '/api/v1/Agent/*/question' },
    ...{ change: { postData: '{}' }, place: '.mantine-Notification-root' },
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).fill('Is there breakfast?')
      await press(page, 'Send')
    },
  }),
}

test.each(Object.entries(failures))(
  'shows the request id of a failed call: %s [CNS-45]',
  { timeout },
  async (_, failure) => {
    const { path, title, call, change, act, place } = failure()
    const { page, show } = console
    // Visit another page first. Otherwise cached data would be used.
    await show('/whats-new', "What's new")
    const address = `${http.running.url}${call}`
    await page.route(address, (route) => route.continue(change))
    try {
      const refused = page.waitForResponse((answer) => answer.status() >= 400)
      if (act === undefined) await page.evaluate(`location.hash = '${path}'`)
      else {
        await show(path, title)
        await act(page)
      }
      const requestId = (await refused).headers()['x-request-id'] ?? ''
      expect(requestId).not.toBe('')
      await page
        .locator(place)
        .getByText(new RegExp(`request ${requestId}`, 'i'))
        .first()
        .waitFor()
    } finally {
      await page.unroute(address)
      await closeOverlays(page)
    }
  },
)

test('asks for the password after the session was ended elsewhere, and keeps unsaved input [CNS-5]', {
  timeout,
}, async () => {
  const { page, show } = console
  await show('/tasks', 'Tasks')
  await page.getByRole('button', { name: 'New task' }).first().click()
  await page.getByLabel('Title').fill('Feed the cat')
  await builder.call('POST', '/api/v1/SignOut')
  const door = page.getByRole('dialog', { name: /session has ended/ })
  await door.waitFor({ timeout: 60_000 })
  await door.getByRole('textbox', { name: 'Password' }).fill('a long sentence to remember')
  await door.getByRole('button', { name: 'Sign in' }).click()
  await door.waitFor({ state: 'hidden' })
  expect(await page.getByLabel('Title').inputValue()).toBe('Feed the cat')
  await page.getByRole('button', { name: 'Create task' }).click()
  await page.getByRole('row', { name: /Feed the cat/ }).waitFor()
})

test('shows loading states without animation if reduced motion is preferred [CNS-49]', {
  timeout,
}, async () => {
  const { page, settled, show } = console
  await show('/whats-new', "What's new")
  let goOn = () => {}
  const seen = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const address = '**/api/v1/Conversation?*'
  await page.route(address, async (route) => {
    await seen
    await route.continue()
  })
  await page.evaluate("location.hash = '/conversations'")
  await page.locator('.mantine-Skeleton-root').first().waitFor()
  const moving = () => page.evaluate<number>('document.getAnimations().length')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect.poll(moving, pagePatience).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(moving, pagePatience).toBe(0)
  goOn()
  await settled()
  await page.unroute(address)
})

const rowCount = 100_000
/** The page size, and the largest response. */
const maxItems = 100
const maxBytes = 100_000
/** The rows that fit on the screen, plus some above and below. */
const maxDrawn = 60

interface ListAnswer {
  readonly offset: number
  readonly items: number
  readonly bytes: number
}

/** Collects the responses of the task list from now on. */
function collectAnswers(page: Page): readonly ListAnswer[] {
  const answers: ListAnswer[] = []
  page.on('response', async (answer) => {
    const { pathname, searchParams } = new URL(answer.url())
    if (pathname !== '/api/v1/Task') return
    const body = await answer.body()
    const { items } = JSON.parse(body.toString()) as { items: readonly unknown[] }
    answers.push({ offset: Number(searchParams.get('Offset')), items: items.length, bytes: body.length })
  })
  return answers
}

/**
 * The number of rows that were found by an index, and therefore in its order. A connection reports it with
 * its next statement.
 */
const readInOrder = () =>
  withPostgresClient(http.running.databaseUrl ?? '', async (database) => {
    const { rows } = await database.query<{ count: number }>(
      `select sum(idx_tup_fetch)::int as count from pg_stat_user_indexes where relname = 'task'`,
    )
    return rows[0]?.count ?? 0
  })

test('loads and renders only the visible rows of a list of 100 000 [CNS-46]', {
  timeout,
}, async () => {
  const { page, show } = console
  await fillTasks(http.running, rowCount - 1)
  const answers = collectAnswers(page)
  const before = await readInOrder()
  // The last task is created over the API, so that an event reports it.
  await http.client.call('POST', '/api/v1/Task', { body: { title: `Task ${rowCount}` } })
  const row = (index: number) =>
    page.locator(`[role=row][aria-rowindex="${index}"]:not(:has(.mantine-Skeleton-root))`)
  const drawn = () => page.locator('[role=table] [role=row]').count()
  await show('/tasks', 'Tasks')
  await row(2).getByText(`Task ${rowCount}`, { exact: true }).waitFor()
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(rowCount))
  expect(await drawn()).toBeLessThan(maxDrawn)

  for (const [share, place] of [
    [0.5, rowCount / 2],
    [1, rowCount + 1],
  ] as const) {
    await page.evaluate(
      `(() => { const list = document.querySelector('[role=table]'); list.scrollTop = list.scrollHeight * ${share} })()`,
    )
    await row(place)
      .getByText(`Task ${rowCount + 2 - place}`, { exact: true })
      .waitFor()
    expect(await drawn()).toBeLessThan(maxDrawn)
  }
  // The beginning and the visited places. A place may lie on the border of two pages.
  expect(answers.length).toBeLessThanOrEqual(6)
  expect(answers.some(({ offset }) => offset === rowCount - maxItems)).toBe(true)
  for (const { items, bytes } of answers) {
    expect(items).toBeLessThanOrEqual(maxItems)
    expect(bytes).toBeLessThan(maxBytes)
  }
  // All rows in index order, without sorting.
  await expect
    .poll(async () => (await readInOrder()) - before, { timeout: 60_000, interval: 500 })
    .toBeGreaterThanOrEqual(rowCount)
})
