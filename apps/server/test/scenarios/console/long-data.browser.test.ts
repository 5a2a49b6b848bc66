import { expect, test } from 'vitest'
import { consolePages } from '../../support/console/console-pages.js'
import { fillLongHotel } from '../../support/console/long-hotel.js'
import { looseParts } from '../../support/console/loose-parts.js'
import { openConsole, pagePatience } from '../../support/console/open-console.js'
import { signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'

const service = useQuestionService()
/** Other tests use the machine at the same time. */
const timeout = 180_000

test('shows the longest names on a phone without a second scroll bar [CNS-59]', {
  timeout,
}, async () => {
  const hotel = await fillLongHotel(service)
  const as = await signedIn(service.running, 'owner')
  const viewport = { width: 390, height: 844 }
  const { page, show, settled } = await openConsole(service.running, { as, viewport })
  const found: string[] = []
  for (const { name, path, title } of consolePages(hotel)) {
    await show(path, title)
    await settled()
    const parts = await page.evaluate<string[]>(looseParts)
    found.push(...parts.map((part) => `${name}: ${part}`))
  }
  expect(found).toEqual([])
  await show(`/agents/${hotel.agentId}?tab=embed`, hotel.titles.agent)
  const rightOfTab = async () => {
    const tab = await page.getByRole('tab', { name: 'Embed' }).boundingBox()
    return tab === null ? null : tab.x + tab.width
  }
  await expect.poll(rightOfTab, pagePatience).toBeLessThanOrEqual(viewport.width)
})
