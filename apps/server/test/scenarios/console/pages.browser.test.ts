import { expect, test } from 'vitest'
import { consolePages } from '../../support/console/console-pages.js'
import { closeOverlays, hiddenParts } from '../../support/console/hidden-parts.js'
import { fillHotel } from '../../support/console/hotel.js'
import { makeInspection } from '../../support/console/inspection.js'
import { openConsole, pagePatience } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const service = useQuestionService()
/** Other tests use the machine at the same time. */
const timeout = 300_000

test('the sign-in page is accessible in both themes [CNS-2]', { timeout }, async () => {
  const stranger = await openConsole(service.running, { colorScheme: 'light' })
  const inspection = makeInspection(stranger)
  await stranger.show('/', 'Sign in')
  await inspection.inspect('sign-in')
  expect(inspection.found).toEqual({ 'sign-in': [] })
  expect(stranger.pageErrors).toEqual([])
})

test('keeps the active entry of the sidebar visible, and shows an unknown address inside the frame [CNS-54]', {
  timeout,
}, async () => {
  const as = await signedIn(service.running, 'owner')
  const viewport = { width: 1280, height: 500 }
  const owner = await openConsole(service.running, { as, viewport, colorScheme: 'light' })
  const inspection = makeInspection(owner)
  await owner.show('/audit-log', 'Audit log')
  const link = (name: string) => owner.page.getByRole('navigation').getByRole('link', { name })
  const gap = async () => {
    const [active, below] = [await link('Audit log').boundingBox(), await link('API reference').boundingBox()]
    return (below?.y ?? 0) - (active?.y ?? 0) - (active?.height ?? 0)
  }
  await expect.poll(gap, pagePatience).toBeGreaterThanOrEqual(0)
  await owner.show('/no/such/page', 'Page not found')
  await link('Agents').waitFor()
  await inspection.inspect('unknown address')
  expect(inspection.found).toEqual({ 'unknown address': [] })
  expect(owner.pageErrors).toEqual([])
})

const withBarriers = ({ found }: ReturnType<typeof makeInspection>) =>
  Object.entries(found).filter(([, barriers]) => barriers.length > 0)

test('every page and its dialogs are accessible in both themes and call no other host [CNS-2] [CNS-39]', {
  timeout,
}, async () => {
  const hotel = await fillHotel(service)
  const as = await signedIn(service.running, 'owner')
  const owner = await openConsole(service.running, { as, colorScheme: 'light' })
  const inspection = makeInspection(owner)
  for (const { name, path, title } of consolePages(hotel)) {
    await owner.show(path, title)
    await owner.settled()
    // The frame is the same on every page, so it is checked once.
    await inspection.inspect(name, name === 'playground' ? ':root' : 'main')
  }
  for (const { name, path, title, open, part } of hiddenParts(hotel)) {
    await owner.show(path, title)
    await owner.settled()
    await open(owner.page)
    await inspection.inspect(name, part)
    await closeOverlays(owner.page)
  }
  expect(withBarriers(inspection)).toEqual([])
  expect(owner.pageErrors).toEqual([])
})
