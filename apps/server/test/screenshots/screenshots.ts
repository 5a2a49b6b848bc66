import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { consolePages } from '../support/console/console-pages.js'
import { fillHotel } from '../support/console/hotel.js'
import { openConsole } from '../support/console/open-console.js'
import { signedIn } from '../support/people/signed-in.js'
import { useQuestionService } from '../support/questions/question-service.js'

const service = useQuestionService()
const folder = new URL('../../../../.cache/screenshots/', import.meta.url)

const looks = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { look: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const

test('takes screenshots of every page', { timeout: 300_000 }, async () => {
  await mkdir(folder, { recursive: true })
  const hotel = await fillHotel(service)
  const as = await signedIn(service.running, 'owner')
  for (const { look, ...options } of looks) {
    const console = await openConsole(service.running, { as, ...options })
    for (const { name, path, title } of consolePages(hotel)) {
      await console.show(path, title)
      await console.settled()
      await console.page.screenshot({
        path: fileURLToPath(new URL(`${name}-${look}.png`, folder)),
        animations: 'disabled',
        caret: 'hide',
      })
    }
  }
})
