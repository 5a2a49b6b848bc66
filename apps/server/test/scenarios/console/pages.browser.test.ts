import { expect, test } from 'vitest'
import { closeCorner, consoleCorners } from '../../support/console/console-corners.js'
import { consolePages } from '../../support/console/console-pages.js'
import { fillHotel } from '../../support/console/hotel.js'
import { makeInspection } from '../../support/console/inspection.js'
import { openConsole } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const service = useQuestionService()
/** Browsers share the machine with other tests. */
const timeout = 120_000

test('the door opens in both themes, and keeps nobody out [CNS-2]', { timeout }, async () => {
  const stranger = await openConsole(service.running, { colorScheme: 'light' })
  const looked = makeInspection(stranger)
  await stranger.show('/', 'Sign in')
  await looked.inspect('door')
  expect(looked.found).toEqual({ door: [] })
  expect(stranger.troubles).toEqual([])
})

const withBarriers = ({ found }: ReturnType<typeof makeInspection>) =>
  Object.entries(found).filter(([, barriers]) => barriers.length > 0)

test('every page and what opens in it by a click keeps nobody out, light or dark, and asks nobody else [CNS-2] [CNS-39]', {
  timeout,
}, async () => {
  const hotel = await fillHotel(service)
  const as = await signedIn(service.running, 'owner')
  const owner = await openConsole(service.running, { as, colorScheme: 'light' })
  const looked = makeInspection(owner)
  for (const { name, path, title } of consolePages(hotel)) {
    await owner.show(path, title)
    await owner.settled()
    // The frame around them is the same on every page, and looked at once.
    await looked.inspect(name, name === 'playground' ? ':root' : 'main')
  }
  for (const { name, path, title, open, part } of consoleCorners(hotel)) {
    await owner.show(path, title)
    await owner.settled()
    await open(owner.page)
    await looked.inspect(name, part)
    await closeCorner(owner.page)
  }
  expect(withBarriers(looked)).toEqual([])
  expect(owner.troubles).toEqual([])
})
