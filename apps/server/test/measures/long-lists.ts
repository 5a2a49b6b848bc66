import { loadavg } from 'node:os'
import { expect, test } from 'vitest'
import { fillLists } from '../support/console/fill-lists.js'
import { type OpenConsole, openConsole } from '../support/console/open-console.js'
import { signedIn } from '../support/people/signed-in.js'
import { startService } from '../support/start-service.js'

const rowCount = 100_000
const rounds = 5
/** Far more rows than usual. A list that loads or renders all rows at once takes longer. */
const boundMilliseconds = 5000

const lists = [
  { link: 'Tasks', table: 'Tasks' },
  { link: 'Conversations', table: 'Conversations' },
  { link: 'Audit log', table: 'Audit records' },
] as const

type List = (typeof lists)[number]

/** Returns the row at this position once its content has loaded. */
const rowAt = (table: string, index: number | string) =>
  `[role=table][aria-label="${table}"] [role=row][aria-rowindex="${index}"]:not(:has(.mantine-Skeleton-root))`

test('lists of any length load quickly', { timeout: 600_000 }, async () => {
  const running = await startService()
  const filled = await timed(() => fillLists(running, rowCount))
  const as = await signedIn(running, 'owner')
  const console = await openConsole(running, { as, viewport: { width: 1280, height: 800 } })
  process.stdout.write(
    `\n${rowCount} rows each, put there in ${filled} ms, load ${loadavg()[0]?.toFixed(1)}; milliseconds: least, middle, most\n`,
  )
  for (const list of lists) {
    const measured: { rows: number; end: number }[] = []
    for (let round = 0; round < rounds; round += 1) measured.push(await measure(console, list))
    const rows = spread(measured.map((one) => one.rows))
    const end = spread(measured.map((one) => one.end))
    process.stdout.write(
      `${list.link}: rows ${rows.join(', ')} after the click; the end ${end.join(', ')} after scrolling\n`,
    )
    expect(rows[1]).toBeLessThan(boundMilliseconds)
    expect(end[1]).toBeLessThan(boundMilliseconds)
  }
})

/** Opens the list from another page, so that no data is cached. */
async function measure({ page, show, settled }: OpenConsole, { link, table }: List) {
  await page.goto('about:blank')
  await show('/account', 'Account settings')
  await settled()
  const entry = page.getByRole('navigation').getByRole('link', { name: link, exact: true })
  const rows = await timed(async () => {
    await entry.click()
    await page.locator(rowAt(table, 2)).waitFor()
  })
  const count = await page.getByRole('table', { name: table }).getAttribute('aria-rowcount')
  expect(Number(count)).toBeGreaterThanOrEqual(rowCount)
  const end = await timed(async () => {
    await page.evaluate('document.querySelector("[role=table]").scrollTop = 1e9')
    await page.locator(rowAt(table, Number(count) + 1)).waitFor()
  })
  return { rows, end }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begin = performance.now()
  await work()
  return Math.round(performance.now() - begin)
}

function spread(values: readonly number[]): readonly [number, number, number] {
  const sorted = values.toSorted((one, other) => one - other)
  return [sorted[0] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0]
}
