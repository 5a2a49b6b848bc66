import { describe, expect, test } from 'vitest'
import { consolePages } from '../../support/console/console-pages.js'
import { fillHotel, type Hotel } from '../../support/console/hotel.js'
import { findBarriers, type OpenConsole, openConsole } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const service = useQuestionService()
let hotel: Hotel | undefined

describe.each(['light', 'dark'] as const)('[CNS-2] in the %s theme', (colorScheme) => {
  let owner: OpenConsole

  test('every page opens without a complaint, asks nobody else, and keeps nobody out', async () => {
    hotel ??= await fillHotel(service)
    owner = await openConsole(service.running, { as: await signedIn(service.running, 'owner'), colorScheme })
    const barriers: Record<string, readonly string[]> = {}
    const stranger = await openConsole(service.running, { colorScheme })
    await stranger.show('/', 'Sign in')
    const atTheDoor = await findBarriers(stranger.page)
    if (atTheDoor.length > 0) barriers.door = atTheDoor
    expect(stranger.troubles).toEqual([])
    for (const { name, path, title } of consolePages(hotel)) {
      await owner.show(path, title)
      await owner.settled()
      const found = await findBarriers(owner.page)
      if (found.length > 0) barriers[name] = found
    }
    expect(barriers).toEqual({})
    expect(owner.troubles).toEqual([])
  }, 180_000)
})
