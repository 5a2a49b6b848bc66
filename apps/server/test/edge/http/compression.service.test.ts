import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { useService } from '../../support/http/use-service.js'

const http = useService()

async function read(path: string, acceptEncoding?: string) {
  const { url, organizationId, apiKey } = http.running
  const { headers, body } = await request(`${url}${path}`, {
    headers: {
      'x-org-id': organizationId,
      'x-api-key': apiKey,
      ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
    },
  })
  const bytes = Buffer.from(await body.arrayBuffer())
  return {
    encoding: headers['content-encoding'],
    vary: headers.vary,
    length: headers['content-length'],
    bytes,
  }
}

test('compresses long answers for clients that accept gzip [API-27]', async () => {
  const plain = await read('/api/v1/Agent')
  const compressed = await read('/api/v1/Agent', 'br, gzip')
  expect(plain).toMatchObject({ encoding: undefined, length: String(plain.bytes.length) })
  expect(compressed).toMatchObject({
    encoding: 'gzip',
    vary: 'accept-encoding',
    length: String(compressed.bytes.length),
  })
  expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2)
  expect(gunzipSync(compressed.bytes).toString()).toBe(plain.bytes.toString())
  const refused = await read('/api/v1/Agent', 'gzip;q=0')
  expect(refused.encoding).toBeUndefined()
})

test('does not compress short answers and answers with an entity tag [API-27]', async () => {
  expect((await read('/api/v1/Webhook', 'gzip')).encoding).toBeUndefined()
  const agents = JSON.parse((await read('/api/v1/Agent')).bytes.toString())
  expect((await read(`/api/v1/Agent/${agents.items[0].id}`, 'gzip')).encoding).toBeUndefined()
})

test.each(['/docs/js/scalar.js', '/docs/reference.json', '/openapi.json'])(
  'compresses the files of the API reference: %s [API-27]',
  async (path) => {
    expect((await read(path, 'gzip')).encoding).toBe('gzip')
  },
)
