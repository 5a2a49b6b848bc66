import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { useService } from '../../support/http/use-service.js'

const http = useService()

const Facts = z.strictObject({
  name: z.literal('Parley'),
  about: z.string(),
  version: z.string(),
  state: z.strictObject({ service: z.string(), database: z.string(), engine: z.string() }),
  firstCalls: z.array(z.strictObject({ what: z.string(), command: z.string() })),
  links: z.array(z.strictObject({ what: z.string(), path: z.string() })),
})

const open = (accept: string, path = '/start') => http.call({ method: 'GET', path, headers: { accept } })

describe('the start page [DOC-4]', () => {
  test('shows browsers a page that loads no resources and runs no script', async () => {
    const { status, headers, text } = await open('text/html,application/xhtml+xml;q=0.9,*/*;q=0.8')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).not.toMatch(/<script|javascript:|\son\w+=/i)
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//)
    const [, style = ''] = text.match(/<style>([\s\S]*)<\/style>/) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    )
    expect(text).toMatch(/prefers-color-scheme: dark/)
    expect(text).toContain('name="viewport"')
  })

  test.each(['/', '/start'])('returns the same facts as JSON to other clients at %s', async (path) => {
    const { status, headers, text } = await open('*/*', path)
    expect([status, headers.get('vary')]).toEqual([200, 'accept'])
    const facts = Facts.parse(JSON.parse(text))
    expect(facts.state).toEqual({
      service: 'ready',
      database: 'answers',
      engine: 'starts when it is needed',
    })
    const { text: page } = await open('text/html')
    const shown = [facts.version, facts.about, ...Object.values(facts.state)]
    for (const { what, path } of facts.links) shown.push(what, `href="${path}"`)
    for (const fact of shown) expect(page).toContain(fact)
  })

  test('has calls with the address of this service, and links that work', async () => {
    const facts = Facts.parse(JSON.parse((await open('application/json')).text))
    expect(facts.firstCalls).toHaveLength(3)
    for (const { command } of facts.firstCalls) expect(command).toContain(`${http.running.url}/api/v1/Agent`)
    for (const { path } of facts.links) {
      const [bare = ''] = path.split('#')
      expect([200, 301, 302]).toContain((await http.call({ method: 'GET', path: bare })).status)
    }
  })

  test('contains neither a key nor an organization [5-4]', async () => {
    const { text } = await open('text/html')
    expect(text).not.toContain('prl_')
    for (const secret of [http.running.apiKey, http.running.organizationId])
      expect(text).not.toContain(secret)
  })

  test('reports that the service is shutting down', async () => {
    http.running.service.drain()
    expect(JSON.parse((await open('*/*')).text)).toMatchObject({ state: { service: 'shutting down' } })
  })
})

test("What's New is the last chapter of the reference and part of no contract [DOC-3]", async () => {
  const changelog = await readFile(new URL('../../../../../CHANGELOG.md', import.meta.url), 'utf8')
  const [line = ''] = changelog.match(/^- .+$/m) ?? []
  const page = await http.call({ method: 'GET', path: '/docs/' })
  expect(page.text).toContain('/docs/reference.json')
  const reference = await http.call({ method: 'GET', path: '/docs/reference.json' })
  const Tags = z.object({ tags: z.array(z.object({ name: z.string(), description: z.string() })) })
  const { tags } = Tags.parse(JSON.parse(reference.text))
  expect(tags.map(({ name }) => name).indexOf("What's New")).toBe(tags.length - 1)
  expect(tags.at(-1)?.description).toContain(line)
  expect(tags.at(-1)?.description).not.toMatch(/\]\((?!https?:)/)
  expect((await http.call({ method: 'GET', path: '/openapi.json' })).text).not.toContain("What's New")
})
