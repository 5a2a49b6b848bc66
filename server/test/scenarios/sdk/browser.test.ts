import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newVisitor } from '../../support/browser/browser.js'
import { useSdkService } from '../../support/sdk/sdk-service.js'

const service = useSdkService()
const built = fileURLToPath(new URL('../../../../sdk/dist', import.meta.url))

/** What runs in the page, with the package as it was built. */
const program = (options: object, agentId: string) => `(async () => {
  const { InvalidRequestError, Parley } = await import('/sdk/index.js')
  const parley = new Parley({ baseUrl: location.origin, ...${JSON.stringify(options)} })
  const agents = await parley.agents.list({ Limit: 1 })
  const types = []
  for await (const { type } of parley.questions.stream('${agentId}', { question: 'Hello?' })) types.push(type)
  const progress = []
  const contents = 'The roof is new. '.repeat(100000)
  const file = await parley.temporaryFiles.create(
    new File([contents], 'note.txt', { type: 'text/plain' }),
    { onProgress: (seen) => progress.push(seen) },
  )
  const content = await (await parley.temporaryFiles.getContent(file.id)).text()
  const refused = await parley.temporaryFiles.create({ name: 'note.pdf', contents: 'no pdf' }).catch((error) => error)
  const cancelled = await parley.temporaryFiles
    .create({ name: 'note.txt', contents }, { signal: AbortSignal.abort('left') })
    .catch((reason) => reason)
  return {
    count: agents.items.length,
    types,
    isWhole: content === contents,
    last: progress.at(-1),
    refused: [refused instanceof InvalidRequestError, refused.status, refused.requestId !== null],
    cancelled,
  }
})()`

test('[SDK-13] a browser runs it as it was built: calls, a stream that breaks, an upload with its progress', async () => {
  const { agentId, model, proxy, running } = service
  const page = await (await newVisitor()).newPage()
  await page.route('**/page', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.route('**/sdk/**', (route) =>
    route.fulfill({ path: `${built}${new URL(route.request().url()).pathname.slice('/sdk'.length)}` }),
  )
  await page.goto(`${proxy.url}/page`)
  model.answer({ text: ['Good ', 'morning.'] })
  proxy.failNext('pass', { events: 2, ending: 'cut' })
  const { organizationId, apiKey } = running
  const sizeBytes = 1_700_000
  expect(
    await page.evaluate(program({ organizationId, apiKey, backoffMilliseconds: 1 }, agentId)),
  ).toMatchObject({
    count: 1,
    types: expect.arrayContaining(['turn.started', 'message.created', 'response.id', 'response.completed']),
    isWhole: true,
    last: { sentBytes: sizeBytes, totalBytes: sizeBytes },
    refused: [true, 415, true],
    cancelled: 'left',
  })
}, 60_000)
