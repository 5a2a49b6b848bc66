import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, test } from 'vitest'
import { type ConsolePage, consolePages } from '../support/console/console-pages.js'
import { fillHotel, type Hotel } from '../support/console/hotel.js'
import { fillLongHotel } from '../support/console/long-hotel.js'
import { looseParts } from '../support/console/loose-parts.js'
import { openConsole } from '../support/console/open-console.js'
import { signedIn } from '../support/people/signed-in.js'
import { type QuestionService, useQuestionService } from '../support/questions/question-service.js'

const folder = new URL('../../../../.cache/screenshots/', import.meta.url)

const sizes = [
  { size: 'desktop', viewport: { width: 1280, height: 800 } },
  { size: 'laptop', viewport: { width: 1366, height: 657 } },
  { size: 'phone', viewport: { width: 390, height: 844 } },
] as const

const found: string[] = []
afterAll(() => void process.stdout.write(`${found.length === 0 ? 'Every page fits.' : found.join('\n')}\n`))

/** Takes the pages in all sizes and both themes. Reports parts that are cut off or have a scroll bar too many. */
async function takeScreenshots(
  service: QuestionService,
  { data, pages }: { readonly data: string; readonly pages: readonly ConsolePage[] },
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const as = await signedIn(service.running, 'owner')
  for (const { size, viewport } of sizes) {
    const console = await openConsole(service.running, { as, viewport, colorScheme: 'light' })
    for (const { name, path, title } of pages) {
      await console.show(path, title)
      await console.wear('light')
      await console.settled()
      for (const part of await console.page.evaluate<string[]>(looseParts))
        found.push(`${data} ${size} ${name}: ${part}`)
      for (const theme of ['light', 'dark'] as const) {
        await console.wear(theme)
        await console.page.screenshot({
          path: fileURLToPath(new URL(`${data}-${name.replaceAll(' ', '-')}-${size}-${theme}.png`, folder)),
          animations: 'disabled',
          caret: 'hide',
        })
      }
    }
  }
}

describe.each([
  { data: 'hotel', fill: fillHotel },
  { data: 'long', fill: fillLongHotel },
])('with the data of $data', ({ data, fill }) => {
  const service = useQuestionService()

  test('takes screenshots of every page', { timeout: 900_000 }, async () => {
    await takeScreenshots(service, { data, pages: consolePages(await fill(service)) })
  })
})

describe('without data', () => {
  const service = useQuestionService()

  test('takes screenshots of every list', { timeout: 900_000 }, async () => {
    const none: Hotel = {
      ...{ agentId: 'new', conversationId: '', sessionId: '', webhookId: '', spokenId: '', endUserId: '' },
      phoneCallId: '',
      titles: { agent: /./, webhook: /./, endUser: /./, conversation: /./ },
    }
    const isOfOne = ({ path }: ConsolePage) => /\/$|\/new|agent=new/.test(path)
    const playground = { name: 'playground', path: '/playground', title: 'Playground' }
    const pages = [playground, ...consolePages(none).filter((page) => !isOfOne(page))]
    await takeScreenshots(service, { data: 'empty', pages })
  })
})
