import { expect, test } from 'vitest'
import { consoleCorners } from '../../support/console/console-corners.js'
import { consolePages } from '../../support/console/console-pages.js'
import { fillHotel, type Hotel } from '../../support/console/hotel.js'
import { makeInspection } from '../../support/console/inspection.js'
import { findBarriers, openConsole } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const service = useQuestionService()
const themes = ['light', 'dark'] as const
let hotel: Hotel | undefined

async function openHotel() {
  hotel ??= await fillHotel(service)
  const as = await signedIn(service.running, 'owner')
  return { hotel, owner: await openConsole(service.running, { as, colorScheme: 'light' }) }
}

test.each(themes)('[CNS-2] the door opens in the %s theme, and keeps nobody out', async (colorScheme) => {
  const stranger = await openConsole(service.running, { colorScheme })
  await stranger.show('/', 'Sign in')
  expect(await findBarriers(stranger.page)).toEqual([])
  expect(stranger.troubles).toEqual([])
})

test('[CNS-2] every page opens without a complaint, asks nobody else, and keeps nobody out, light or dark', async () => {
  const { hotel, owner } = await openHotel()
  const looked = makeInspection(owner)
  for (const { name, path, title } of consolePages(hotel)) {
    await owner.show(path, title)
    await owner.settled()
    await looked.inspect(name)
  }
  expect(Object.entries(looked.found).filter(([, barriers]) => barriers.length > 0)).toEqual([])
  expect(owner.troubles).toEqual([])
}, 120_000)

test('[CNS-39] what opens by a click keeps nobody out either', async () => {
  const { hotel, owner } = await openHotel()
  const looked = makeInspection(owner)
  for (const { name, path, title, open, part, leave } of consoleCorners(hotel)) {
    await owner.show(path, title)
    await owner.settled()
    await open(owner.page)
    await looked.inspect(name, part)
    await leave?.(owner.page)
    // What a corner has opened goes with its page.
    await owner.show('/whats-new', "What's New")
  }
  expect(Object.entries(looked.found).filter(([, barriers]) => barriers.length > 0)).toEqual([])
  expect(owner.troubles).toEqual([])
}, 120_000)
