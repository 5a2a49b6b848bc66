import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newVisitor } from '../../support/browser/browser.js'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { useSdkService } from '../../support/sdk/sdk-service.js'

const service = useSdkService()
const built = fileURLToPath(new URL('../../../../../packages/sdk/dist', import.meta.url))

/** The code that runs in the page with the built package. */
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

test('the built package runs in a browser: calls, a broken stream, and an upload with progress [SDK-13]', async () => {
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

test('a page with a cookie needs no key [SDK-14]', async () => {
  const server = createServer(async ({ url = '', method, headers }, response) => {
    if (url === '/')
      return void response.setHeader('set-cookie', 'session=s1; HttpOnly').end('<!doctype html>')
    if (url.startsWith('/sdk/')) {
      const code = await readFile(`${built}${url.slice('/sdk'.length)}`)
      return void response.setHeader('content-type', 'text/javascript').end(code)
    }
    const { cookie, 'x-csrf': csrf, 'x-api-key': apiKey = null, 'x-org-id': organizationId } = headers
    // The first attempt is rejected, so that there is a second one.
    const status = csrf === '1' ? 503 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: [method, url, cookie, csrf, apiKey, organizationId].join(' ') }))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closeAfterwards(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const page = await (await newVisitor()).newPage()
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
  const ids = await page.evaluate(`import('/sdk/index.js').then(async ({ Parley }) => {
    let attempts = 0
    const headers = async ({ method, path }) => {
      attempts += 1
      return { 'x-csrf': String(attempts) }
    }
    const parley = new Parley({ credentials: 'same-origin', organizationId: 'o', headers, backoffMilliseconds: 1 })
    const agent = await parley.agents.get('a')
    const file = await parley.temporaryFiles.create({ name: 'note.txt', contents: 'The roof is new.' })
    return [agent.id, file.id]
  })`)
  expect(ids).toEqual([
    'GET /api/v1/Agent/a session=s1 2  o',
    expect.stringMatching(/^POST \/api\/v1\/\S+ session=s1 3 {2}o$/),
  ])
})
