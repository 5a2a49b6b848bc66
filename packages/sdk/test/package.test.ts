import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'

/** The globals that the REST client may use, beside the language itself. */
const everywhere = {
  AbortController,
  Blob,
  clearTimeout,
  crypto,
  fetch: answerSample,
  File,
  FormData,
  Headers,
  ReadableStream,
  Response,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
}

async function answerSample(url: string, init: RequestInit): Promise<Response> {
  const accept = new Headers(init.headers).get('accept')
  if (accept === 'text/event-stream')
    return new Response('id: 1\ndata: {"type":"response.completed","data":{}}\n\n')
  const sent = init.body ? (await new Response(init.body).text()).length : 0
  return Response.json({ items: [{ id: url, sent }], totalCount: 1, offset: 0, limit: 50 })
}

describe('The package', () => {
  let code: string

  beforeAll(async () => {
    const input = fileURLToPath(import.meta.resolve('@parley/sdk'))
    const bundle = await rolldown({ input, platform: 'browser' })
    const { output } = await bundle.generate({ format: 'iife', name: 'sdk', minify: true })
    await bundle.close()
    expect(output).toHaveLength(1)
    code = output[0].code
  })

  test('has no dependencies and declares its side effects [SDK-13]', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    // Importing the element registers it, which is a side effect. Bundlers drop every other unused file.
    const sideEffects = ['./dist/element/index.js', './dist/hosted/*.js', './dist/browser/*.js']
    expect(manifest).toMatchObject({ type: 'module', sideEffects })
    expect(manifest).not.toHaveProperty('dependencies')
  })

  test('has a REST client of at most 7.5 KB, compressed [SDK-13]', () => {
    expect(gzipSync(code).byteLength).toBeLessThanOrEqual(7.5 * 1024)
  })

  test('uses only globals that every runtime has [SDK-13]', async () => {
    const context = createContext({ ...everywhere })
    runInContext(code, context)
    const result = await runInContext(
      `(async () => {
        const parley = new sdk.Parley({ baseUrl: 'http://parley', organizationId: 'o', apiKey: 'k' })
        const urls = []
        for await (const { id } of parley.agents.list({ Limit: 5 })) urls.push(id)
        for await (const { type } of parley.questions.stream('a', { question: 'Hello?' })) urls.push(type)
        const { items } = await parley.temporaryFiles.create({ name: 'note.txt', contents: 'The roof is new.' })
        return [...urls, items[0].sent > 100]
      })()`,
      context,
    )
    expect([...result]).toEqual(['http://parley/api/v1/Agent?Limit=5', 'response.completed', true])
  })
})
