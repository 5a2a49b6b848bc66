import { apiAddress, isVertexServer, readServiceAccountKey, vertexProject } from '@parley/contract'
import { describe, expect, test } from 'vitest'

const server = 'https://us-central1-aiplatform.googleapis.com'
const resource = 'projects/my-project/locations/us-central1'

describe('the project of Vertex AI in an address', () => {
  test.each([
    [`${server}/v1/${resource}`, server, 'v1'],
    [`${server}/v1beta1/${resource}`, server, 'v1beta1'],
    [`${server}/${resource}`, server, 'v1'],
    [`https://proxy.example.com/google/v1/${resource}`, 'https://proxy.example.com/google', 'v1'],
    [`http://127.0.0.1:8080/v1/${resource}`, 'http://127.0.0.1:8080', 'v1'],
  ])('is read from %s [CON-8]', (address, serverUrl, version) => {
    expect(vertexProject(address)).toEqual({ serverUrl, version, resource })
    expect(apiAddress('google', address)).toBe(`${serverUrl}/${version}/${resource}`)
  })

  test('may belong to an organization, and be global [CON-8]', () => {
    const address = 'https://aiplatform.googleapis.com/v1/projects/example.com:my-project/locations/global'
    expect(vertexProject(address)?.resource).toBe('projects/example.com:my-project/locations/global')
    expect(isVertexServer(address)).toBe(true)
  })

  test.each([
    'https://generativelanguage.googleapis.com/v1beta',
    server,
    `${server}/v1/projects/my-project`,
    `${server}/v1/${resource}/publishers`,
    `${server}/v1/projects/a/b/locations/c`,
    'https://projects/my-project/locations/us-central1',
  ])('is not in %s [CON-8]', (address) => {
    expect(vertexProject(address)).toBeNull()
  })

  test('is found quickly in long addresses [CON-8]', () => {
    const address = `https://a.example.com${'/v1'.repeat(600)}/projects/${'a'.repeat(200)}/locations/`
    expect(vertexProject(address)).toBeNull()
  })
})

describe('the key of a service account', () => {
  const file = {
    type: 'service_account',
    client_email: 'a@b.iam.gserviceaccount.com',
    private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
    token_uri: 'https://oauth2.googleapis.com/token',
  }

  test('is read from the file that Google offers [CON-8]', () => {
    const text = JSON.stringify({ ...file, private_key_id: 'id', universe_domain: 'googleapis.com' }, null, 2)
    expect(readServiceAccountKey(text)).toEqual({
      clientEmail: file.client_email,
      privateKey: file.private_key,
      privateKeyId: 'id',
      tokenUrl: file.token_uri,
    })
    expect(readServiceAccountKey(JSON.stringify(file))?.privateKeyId).toBeNull()
  })

  test.each([
    ['text', 'AIza'],
    ['a list', '[]'],
    ['null', 'null'],
    ['another type', JSON.stringify({ ...file, type: 'external_account' })],
    ['an encrypted key', JSON.stringify({ ...file, private_key: '-----BEGIN ENCRYPTED PRIVATE KEY-----' })],
    ['no account', JSON.stringify({ ...file, client_email: '' })],
    ['a token address with credentials', JSON.stringify({ ...file, token_uri: 'https://a:b@example.com' })],
    ['a token address with a query', JSON.stringify({ ...file, token_uri: 'https://example.com/?a=b' })],
    ['a token address that is a file', JSON.stringify({ ...file, token_uri: 'file:///etc/passwd' })],
  ])('is not %s [CON-8]', (_what, text) => {
    expect(readServiceAccountKey(text)).toBeNull()
  })
})
