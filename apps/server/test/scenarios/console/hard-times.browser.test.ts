import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { closeCorner } from '../../support/console/console-corners.js'
import { fillTasks } from '../../support/console/fill-lists.js'
import { type OpenConsole, openConsole, pagePatience } from '../../support/console/open-console.js'
import { useService } from '../../support/http/use-service.js'
import { type SignedInPerson, signedIn } from '../../support/people/signed-in.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'

/*
 * The console when calls fail, when the session ends, and when there is very much of something.
 */

const http = useService()
/** Browsers share the machine with other tests. */
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
  /** The call that the service refuses. */
  readonly call: string
  /** What is changed of it on its way, so that it does. */
  readonly change: Parameters<Route['continue']>[0]
  /** What somebody does that makes the call. */
  readonly act?: (page: Page) => Promise<void>
  /** Where the words are. */
  readonly place: string
}

const unknown = '01900000-0000-7000-8000-000000000000'
const openTask = async (page: Page) => page.getByRole('row', { name: /Water the plants/ }).click()
const press = async (page: Page, name: string) => page.getByRole('button', { name }).last().click()

/** Every kind of place that tells of a failure. */
const failures: Readonly<Record<string, () => Failure>> = {
  'in the place of a list': () => ({
    ...{ path: '/files', title: 'Files', call: '/api/v1/TemporaryFile?*', place: 'main [role=alert]' },
    change: { url: `${http.running.url}/api/v1/TemporaryFile?Limit=0` },
  }),
  'in the place of a page': () => ({
    ...{ path: `/agents/${agentId}`, title: /./, call: `/api/v1/Agent/${agentId}` },
    ...{ change: { headers: {} }, place: 'main [role=alert]' },
  }),
  'in a drawer, below its form': () => ({
    ...{ path: '/tasks', title: 'Tasks', call: '/api/v1/Task/*', place: '[role=dialog] [role=alert]' },
    change: { postData: '{ "titel": "Water the plants" }' },
    act: async (page) => {
      await openTask(page)
      await page.getByRole('textbox', { name: 'Title' }).fill('Water all plants')
      await press(page, 'Save')
    },
  }),
  'above the page, where a button has no room for it': () => ({
    ...{ path: '/tasks', title: 'Tasks', call: '/api/v1/Task/*', place: '.mantine-Notification-root' },
    change: { url: `${http.running.url}/api/v1/Task/${unknown}` },
    act: async (page) => {
      await openTask(page)
      await press(page, 'Delete task')
      await page.getByRole('dialog', { name: 'Delete this task?' }).waitFor()
      await press(page, 'Delete task')
    },
  }),
  'above the playground, which keeps what was written': () => ({
    ...{ path: `/playground?agent=${agentId}`, title: 'Playground', call: '/api/v1/Agent/*/question' },
    ...{ change: { postData: '{}' }, place: '.mantine-Notification-root' },
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Message' }).fill('Is there breakfast?')
      await press(page, 'Send')
    },
  }),
}

test.each(Object.entries(failures))(
  'a failure names its request: %s [CNS-45]',
  { timeout },
  async (_, failure) => {
    const { path, title, call, change, act, place } = failure()
    const { page, show } = console
    // Another address first: what was read of the page before is not read again.
    await show('/whats-new', "What's New")
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
      await closeCorner(page)
    }
  },
)

test('a session that was ended elsewhere asks for the password, and what was being written stays [CNS-5]', {
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

test('what is on its way stands still where motion is unwelcome [CNS-49]', { timeout }, async () => {
  const { page, settled, show } = console
  await show('/whats-new', "What's New")
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
/** A page of rows, with what an answer says of each. */
const maxItems = 100
const maxBytes = 100_000
/** What fits on the screen, and a few above and below. */
const maxDrawn = 60

interface ListAnswer {
  readonly offset: number
  readonly items: number
  readonly bytes: number
}

/** What the list of tasks is answered from now on. */
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

/** How many rows were found by an index, and so in its order. A connection says so with its next statement. */
const readInOrder = () =>
  withPostgresClient(http.running.databaseUrl ?? '', async (database) => {
    const { rows } = await database.query<{ count: number }>(
      `select sum(idx_tup_fetch)::int as count from pg_stat_user_indexes where relname = 'task'`,
    )
    return rows[0]?.count ?? 0
  })

test('of 100 000 rows those are asked for and drawn that are looked at, wherever one looks [CNS-46]', {
  timeout,
}, async () => {
  const { page, show } = console
  await fillTasks(http.running, rowCount - 1)
  const answers = collectAnswers(page)
  const before = await readInOrder()
  // The last one is told of.
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
  // The beginning, and where one has looked; one may have looked across the border of two pages.
  expect(answers.length).toBeLessThanOrEqual(6)
  expect(answers.some(({ offset }) => offset === rowCount - maxItems)).toBe(true)
  for (const { items, bytes } of answers) {
    expect(items).toBeLessThanOrEqual(maxItems)
    expect(bytes).toBeLessThan(maxBytes)
  }
  // All of them from the top down, none of them sorted.
  await expect
    .poll(async () => (await readInOrder()) - before, { timeout: 60_000, interval: 500 })
    .toBeGreaterThanOrEqual(rowCount)
})
