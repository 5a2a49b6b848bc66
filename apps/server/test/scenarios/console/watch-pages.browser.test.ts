import { readFile } from 'node:fs/promises'
import type { AuditLogRecord, Page, RealtimeSession } from '@parley/contract'
import type { Page as Browser, Locator } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { listenToSpeaker } from '../../support/browser/loudest-sound.js'
import { fillHotel, type Hotel } from '../../support/console/hotel.js'
import { interruptHotelAnswer } from '../../support/console/interrupted-answer.js'
import { type OpenConsole, openConsole, pagePatience } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { askStreaming } from '../../support/questions/ask.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const service = useQuestionService()
/** Other tests use the machine at the same time. */
const timeout = 60_000

let hotel: Hotel
let owner: OpenConsole
let isFilled = false
let page: Browser

/** The owner's browser, shared by all tests. */
beforeAll(async () => {
  const as = await signedIn(service.running, 'owner')
  owner = await openConsole(service.running, { as, initScript: listenToSpeaker })
  page = owner.page
}, timeout)

/** The hotel is filled as part of the first test, because waiting for it takes long. */
beforeEach(async () => {
  if (isFilled) return
  isFilled = true
  hotel = await fillHotel(service)
  await interruptHotelAnswer(service, hotel)
}, timeout)

const rowsOf = (table: string) => page.getByRole('table', { name: table }).getByRole('row')
/** The rows that contain the text. */
const rowWith = (table: string, words: string | RegExp) => rowsOf(table).filter({ hasText: words })
const gone = (row: Locator) => row.waitFor({ state: 'detached' })

test('finds a conversation by its words, and shows its calls, interruptions and usage [CNS-32]', {
  timeout,
}, async () => {
  await owner.show('/conversations', 'Conversations')
  await rowWith('Conversations', 'When is breakfast?').waitFor()
  await page.getByRole('textbox', { name: 'Search conversations' }).fill('hopper')
  await gone(rowWith('Conversations', 'When is breakfast?'))
  await rowWith('Conversations', 'Whose is booking 4711?').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Whose is booking 4711?', level: 1 }).waitFor()
  // The focused row is gone, so the keyboard continues in the page.
  await expect.poll(() => page.evaluate('document.activeElement.id'), pagePatience).toBe('main')

  const transcript = page.getByRole('region', { name: 'Transcript' })
  const call = transcript.getByRole('article', { name: 'Tool call find_booking' })
  expect(await call.getByRole('figure', { name: 'Arguments' }).innerText()).toBe('{\n  "number": "4711"\n}')
  expect(await call.getByRole('figure', { name: 'Result' }).innerText()).toContain('"guest": "Grace Hopper"')
  expect(await call.innerText()).toContain('Done')
  const answers = transcript.getByRole('article', { name: 'Agent' })
  await answers
    .first()
    .getByText(/^\d+ input tokens, \d+ output tokens, (?:unknown cost|\$\d)/)
    .waitFor()
  expect(await answers.last().innerText()).toMatch(
    /Room 12 is on the second floor, behind …\s+Interrupted, heard up to here/,
  )

  await page.goto(`${service.running.url}/#/conversations/${hotel.spokenId}`)
  await page.getByRole('tab', { name: /Sessions/ }).click()
  await page.getByRole('button', { name: /Client disconnected.*210 tokens/ }).click()
  const exchanges = page.getByRole('list', { name: 'Exchanges' }).getByRole('listitem')
  expect(await exchanges.first().getAttribute('aria-label')).toMatch(/^Exchange 1,.*completed\. .*Answering/)
  await page.getByRole('link', { name: 'View session' }).click()
  await page.getByRole('heading', { name: 'Session', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Copy session ID' }).waitFor()
  await page.getByRole('link', { name: 'Back to sessions' }).waitFor()
  await page
    .getByRole('region', { name: 'Timeline' })
    .getByRole('link', { name: 'View transcript' })
    .waitFor()
  const usage = page.getByRole('table', { name: 'Tokens by modality' })
  expect(await usage.getByRole('row', { name: /^Audio/ }).innerText()).toMatch(/120\s+0\s+45/)
  expect(owner.pageErrors).toEqual([])
})

test('ends a running session, and shows end reasons and metrics of ended ones [CNS-33]', {
  timeout,
}, async () => {
  await owner.show('/sessions', 'Sessions')
  await page.getByText('No live sessions.').waitFor()
  const { client } = await service.speakTo(hotel.agentId)
  await page.getByRole('heading', { name: 'Live (1)' }).waitFor()
  await page.getByRole('button', { name: 'End session' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  expect(await client.inbox.closed).toMatchObject({ code: 4005 })
  await page.getByText('No live sessions.').waitFor()
  await rowWith('Ended sessions', 'Ended manually').waitFor()

  const ended = await service.running.client.call<Page<RealtimeSession>>('GET', '/api/v1/RealtimeSession')
  const chart = (name: RegExp) => page.getByRole('region', { name })
  await chart(/End reasons/)
    .getByRole('button', { name: /Ended manually\s*1/ })
    .waitFor()
  expect(await chart(/Time to first audio/).innerText()).toMatch(/Median ≤ \d+/)
  await chart(new RegExp(`Tokens: 210 in ${ended.body.totalCount} sessions`)).waitFor()
  // The last row is today.
  const today = page.getByRole('table', { name: 'Tokens' }).getByRole('row').last()
  expect(await today.innerText()).toMatch(/150\s+60$/)
  const drawn = async () => (await countColored()).filter((pixels) => pixels > 10).length
  await expect.poll(drawn, pagePatience).toBe(2)

  await chart(/End reasons/)
    .getByRole('button', { name: /Ended manually/ })
    .click()
  await gone(rowWith('Ended sessions', 'Client disconnected').first())
  await page.getByRole('combobox', { name: 'Agent' }).click()
  await page.getByRole('option', { name: 'Housekeeping' }).click()
  await page.getByText('No tokens in this period.').waitFor()
  await page.getByText('No matching sessions').waitFor()
  expect(owner.pageErrors).toEqual([])
})

/** The colored pixels of each chart. Axes and labels are gray. */
const countColored = () =>
  page.evaluate<number[]>(`[...document.querySelectorAll('canvas')].map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let count = 0
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue, alpha] = data.subarray(at, at + 4)
      if (alpha > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) count += 1
    }
    return count
  })`)

test('announces a pending call on every page, and decides pending calls oldest first [CNS-34]', {
  timeout,
}, async () => {
  const { model, tools } = service
  await owner.show('/tasks', 'Tasks')
  await page.getByRole('textbox', { name: 'Search tasks' }).click()
  await page.getByLabel('1 pending').waitFor()
  expect(await page.evaluate('loudest')).toBe(0)
  model.answer({ calls: [{ name: 'cancel_booking', arguments: { number: '4712' } }] })
  const stream = await askStreaming(service.running, hotel.agentId, { question: 'Cancel 4712 too, please.' })
  await page.getByLabel('2 pending').waitFor()
  await expect.poll(() => page.title(), pagePatience).toBe('(2) Tasks · Parley')
  await expect.poll(() => page.evaluate<number>('loudest'), pagePatience).toBeGreaterThan(0.02)
  await page.getByRole('link', { name: 'Review' }).click()

  const cards = page.getByRole('list', { name: 'Pending approvals' }).getByRole('article')
  await cards.nth(1).waitFor()
  const [oldest, newest] = [cards.nth(0), cards.nth(1)]
  const given = (card: Locator) => card.getByRole('figure').innerText()
  expect([await given(oldest), await given(newest)]).toEqual([
    expect.stringContaining('4711'),
    expect.stringContaining('4712'),
  ])
  const left = await secondsLeft(newest)
  expect(left).toBeGreaterThan(200)
  expect(await secondsLeft(oldest)).toBeLessThan(left)
  await expect.poll(() => secondsLeft(newest), pagePatience).toBeLessThan(left)

  const cancelled = tools.expect('POST /cancel', { body: { message: 'Cancelled.' } })
  model.answer({ text: 'Booking 4712 is cancelled.' })
  await newest.getByRole('button', { name: 'Approve Cancel a booking' }).click()
  expect(JSON.parse((await cancelled).body)).toEqual({ number: '4712' })
  await newest.getByText(/by you/).waitFor()
  await stream.ended
  model.answer({ text: 'I may not cancel booking 4711.' })
  await oldest.getByRole('button', { name: 'Reject Cancel a booking' }).click()
  await oldest.getByRole('textbox', { name: /Reason/ }).fill('It is paid.')
  await page.keyboard.press('Enter')
  await oldest.getByText('“It is paid.”').waitFor()
  await model.nextRequest()
  await page.getByLabel(/^\d+ pending$/).waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Resolved' }).click()
  await rowWith('Resolved approvals', /Rejected.*It is paid/).waitFor()
  await rowWith('Resolved approvals', 'Approved').waitFor()
  expect(owner.pageErrors).toEqual([])
})

/** Parses the deadline of a call: `4 min 59 s left`. */
async function secondsLeft(card: Locator): Promise<number> {
  const [, minutes = '0', seconds = ''] =
    /^(?:(\d+) min )?(\d+) s left$/.exec(await card.getByRole('timer').innerText()) ?? []
  return Number(minutes) * 60 + Number(seconds)
}

test('filters, opens, verifies and exports the audit log [CNS-35]', { timeout }, async () => {
  const path = '/api/v1/AuditLog?Limit=200'
  const { body } = await service.running.client.call<Page<AuditLogRecord>>('GET', path)
  const created = body.items.filter(({ action }) => action === 'task.create')
  // The list shows the newest records first, and only the visible ones.
  const newest = body.items.find(({ action }) => action !== 'task.create')?.action ?? ''
  await owner.show('/audit-log', 'Audit log')
  await rowWith('Audit records', newest).first().waitFor()
  await page.getByRole('textbox', { name: 'Action' }).fill('task.create')
  await gone(rowWith('Audit records', newest).first())
  const count = () => page.getByRole('table', { name: 'Audit records' }).getAttribute('aria-rowcount')
  await expect.poll(count, pagePatience).toBe(String(created.length))

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /JSON/ }).click()
  expect((await download).suggestedFilename()).toBe('audit-log.ndjson')
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
  const exported = lines.map((line): AuditLogRecord => JSON.parse(line))
  expect(exported.map(({ id }) => id)).toEqual(created.map(({ id }) => id).toReversed())

  await rowWith('Audit records', 'task.create').first().click()
  const drawer = page.getByRole('dialog', { name: 'task.create' })
  await drawer.getByText(created[0]?.resourceId ?? '', { exact: true }).waitFor()
  await drawer.getByRole('button', { name: /api key/ }).click()
  await page.getByRole('button', { name: 'Clear actor filter' }).waitFor()
  await page.getByLabel('From').fill('2100-01-01')
  await page.getByText('No matching records').waitFor()
  await page.getByRole('button', { name: 'Verify' }).click()
  const { sequence, hash } = (await service.running.client.call('GET', '/api/v1/AuditLog/head')).body
  await page.getByRole('textbox', { name: 'Saved chain head' }).fill(`${sequence} ${hash}`)
  await page.getByRole('button', { name: 'Verify now' }).click()
  await page.getByText(/The chain is intact: \d\d+ records/).waitFor()
  await page.getByText('The saved head is in the chain.').waitFor()
  expect(owner.pageErrors).toEqual([])
})

test('finds, changes and deletes tasks; uploads, downloads and deletes files [CNS-38] [CNS-47] [CNS-55]', {
  timeout,
}, async () => {
  await owner.show('/tasks', 'Tasks')
  await rowWith('Tasks', 'Order flowers').waitFor()
  // No task of the hotel has a next run or a due date.
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
    ...['Title', 'Status', 'Priority', 'Agent', 'External ID', 'Updated'],
  ])
  let goOn = () => {}
  const seen = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/api/v1/Task?*Search=lamp*', async (route) => {
    await seen
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'Search tasks' }).fill('lamp')
  // Old rows stay visible until the new ones arrive, and the list is marked as busy.
  await page.locator('[role=table][aria-label=Tasks][aria-busy=true]').waitFor()
  expect(await rowWith('Tasks', 'Order flowers').count()).toBe(1)
  expect(await page.locator('.mantine-Skeleton-root').count()).toBe(0)
  goOn()
  await gone(rowWith('Tasks', 'Order flowers'))
  await page.locator('[role=table][aria-label=Tasks][aria-busy=false]').waitFor()
  await rowWith('Tasks', 'Repair the lamp').click()
  const drawer = page.getByRole('dialog', { name: 'Task' })
  await drawer.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Done' }).click()
  await drawer.getByRole('textbox', { name: 'Result' }).fill('A new bulb.')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await rowWith('Tasks', /Repair the lamp.*Done/).waitFor()
  const lamps = await service.running.client.call('GET', '/api/v1/Task?Search=lamp')
  expect(lamps.body.items).toMatchObject([{ status: 'done', result: 'A new bulb.', externalId: 'PMS-1043' }])
  await rowWith('Tasks', 'Repair the lamp').click()
  await drawer.getByRole('button', { name: 'Delete task' }).click()
  const question = page.getByRole('dialog', { name: 'Delete task?' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  // Escape closed only the dialog.
  await page
    .getByRole('dialog', { name: 'Task', exact: true })
    .getByRole('textbox', { name: 'Result' })
    .click()
  await page.getByRole('button', { name: 'Delete task' }).click()
  await question.getByRole('button', { name: 'Delete task' }).click()
  await page.getByText('No matching tasks').waitFor()

  await owner.show('/files', 'Files')
  const menu = { name: 'menu.txt', mimeType: 'text/plain', buffer: Buffer.from('Soup, bread, tea.') }
  await page.locator('input[type=file]').first().setInputFiles(menu)
  await rowWith('Files', 'menu.txt').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download menu.txt' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toBe('Soup, bread, tea.')
  await page.getByRole('textbox', { name: 'Search files' }).fill('wine')
  await page.getByText('No matching files').waitFor()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await page.getByRole('button', { name: 'Delete menu.txt' }).click()
  await page.getByRole('button', { name: 'Delete file' }).click()
  await gone(rowWith('Files', 'menu.txt'))
  expect(owner.pageErrors).toEqual([])
})
