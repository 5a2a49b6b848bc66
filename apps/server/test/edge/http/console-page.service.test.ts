import { readdir, readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { useService } from '../../support/http/use-service.js'

const http = useService()
const built = new URL('../../../../console/dist/', import.meta.url)

const open = (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  http.call({ method: 'GET', path, headers })
const nonceIn = (text: string) => /nonce="([\w+/=]{24})"/.exec(text)?.[1]

describe('the console page [CNS-6]', () => {
  test('has a policy that allows only its own service, with a new nonce in each response', async () => {
    const [first, second] = await Promise.all([open('/'), open('/')])
    const nonce = nonceIn(first.text)
    expect(first.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
        "media-src 'self' blob:; connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    )
    expect(nonceIn(second.text)).not.toBe(nonce)
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'no-store',
      'permissions-policy': 'microphone=(self)',
      vary: 'accept',
    })
    expect(first.text).not.toMatch(/<script(?![^>]* src="\/assets\/)/)
  })

  test('contains neither a key nor an organization', async () => {
    const { text } = await open('/')
    for (const secret of [http.running.apiKey, http.running.organizationId])
      expect(text).not.toContain(secret)
  })

  test('loads files with exact names that caches may keep permanently', async () => {
    const [, name = ''] = /src="\/assets\/([\w-]+\.js)"/.exec((await open('/')).text) ?? []
    const file = await open(`/assets/${name}`, { 'accept-encoding': 'gzip' })
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    for (const path of ['..%2findex.html', '..%2f..%2fpackage.json', 'constructor', `${name}%00`])
      expect([path, (await open(`/assets/${path}`)).status]).toEqual([path, expect.toBeOneOf([400, 404])])
  })

  test('loads less than 250 KB of JavaScript before it shows anything', async () => {
    const page = await readFile(new URL('index.html', built), 'utf8')
    const names = (await readdir(new URL('assets/', built))).filter(
      (name) => name.endsWith('.js') && page.includes(name),
    )
    const sizes = names.map(async (name) => gzipSync(await readFile(new URL(`assets/${name}`, built))).length)
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(50_000)
    expect(total).toBeLessThan(250_000)
  })
})
