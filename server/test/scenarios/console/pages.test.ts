import { expect, test } from 'vitest'
import { consoleCorners } from '../../support/console/console-corners.js'
import { consolePages } from '../../support/console/console-pages.js'
import { fillHotel, type Hotel } from '../../support/console/hotel.js'
import { findBarriers, type OpenConsole, openConsole } from '../../support/console/open-console.js'
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

/** All of them in the theme that the page has; in the other one those of colour, since nothing else is another there. */
async function barriersOf(
  { page, wear }: OpenConsole,
  part?: string,
): Promise<Record<string, readonly string[]>> {
  const where = part === undefined ? {} : { part }
  const found = { light: await findBarriers(page, where), dark: [] as readonly string[] }
  await wear('dark')
  found.dark = await findBarriers(page, { ...where, rules: ['color-contrast'] })
  await wear('light')
  return Object.fromEntries(Object.entries(found).filter(([, barriers]) => barriers.length > 0))
}

test.each(themes)('[CNS-2] the door opens in the %s theme, and keeps nobody out', async (colorScheme) => {
  const stranger = await openConsole(service.running, { colorScheme })
  await stranger.show('/', 'Sign in')
  expect(await findBarriers(stranger.page)).toEqual([])
  expect(stranger.troubles).toEqual([])
})

test('[CNS-2] every page opens without a complaint, asks nobody else, and keeps nobody out, light or dark', async () => {
  const { hotel, owner } = await openHotel()
  const barriers: Record<string, object> = {}
  for (const { name, path, title } of consolePages(hotel)) {
    await owner.show(path, title)
    await owner.settled()
    const found = await barriersOf(owner)
    if (Object.keys(found).length > 0) barriers[name] = found
  }
  expect(barriers).toEqual({})
  expect(owner.troubles).toEqual([])
}, 120_000)

test('[CNS-39] what opens by a click keeps nobody out either', async () => {
  const { hotel, owner } = await openHotel()
  const barriers: Record<string, object> = {}
  for (const { name, path, title, open, part, leave } of consoleCorners(hotel)) {
    await owner.show(path, title)
    await owner.settled()
    await open(owner.page)
    const found = await barriersOf(owner, part)
    if (Object.keys(found).length > 0) barriers[name] = found
    await leave?.(owner.page)
    // What a corner has opened goes with its page.
    await owner.show('/whats-new', "What's New")
  }
  expect(barriers).toEqual({})
  expect(owner.troubles).toEqual([])
}, 120_000)
