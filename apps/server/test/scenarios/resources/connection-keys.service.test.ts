import type { Connection } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { makeCipher } from '#server/adapters/system/cipher.js'
import { secretContext } from '#server/domain/connections/chat-target.js'
import {
  at,
  cipher,
  connectionPath,
  secret,
  useConnectionService,
} from '../../support/resources/connection-service.js'

const { change, create, http, keyOf, recordOf } = useConnectionService()

describe('the key of a connection', () => {
  test('appears in no response [CON-1]', async () => {
    const body = { name: 'A', kind: 'openai', apiKey: 'sk-never-shown' }
    const created = await http.client.call<Connection>('POST', connectionPath, { body })
    const to = at(created.body)
    const answers = [created, await http.client.call('GET', to), await http.client.call('PUT', to, { body })]
    answers.push(await http.client.call('PATCH', to, { body }), await http.client.call('GET', connectionPath))
    answers.push(await http.client.call('GET', '/api/v1/AuditLog'))
    for (const { status, text } of answers) {
      expect(status).toBeLessThan(300)
      expect(text).not.toContain('sk-never-shown')
      expect(text).not.toMatch(/"(apiKey|sealedApiKey)":/)
    }
  })

  test.each<[string, object, string | null]>([
    ['stays if it is omitted', {}, 'sk-old'],
    ['is cleared by null', { apiKey: null }, null],
    ['is replaced by another key', { apiKey: 'sk-new' }, 'sk-new'],
  ])('%s [CON-1]', async (_what, fields, expected) => {
    for (const method of ['PUT', 'PATCH']) {
      const connection = await create({ apiKey: 'sk-old' })
      const after = await change(method, connection, { name: 'New', kind: 'openai', ...fields })
      expect(after.hasApiKey).toBe(expected !== null)
      expect(await keyOf(connection)).toBe(expected)
    }
  })

  const own = 'https://api.openai.com/v1'
  const compatible = { kind: 'openai-compatible', baseUrl: 'https://a.example.com/v1' }
  test.each<[string, object, object, string | null]>([
    ['another host', compatible, { baseUrl: 'https://b.example.com/v1' }, null],
    ['another path', compatible, { baseUrl: 'https://a.example.com/v2' }, null],
    ['another scheme', compatible, { baseUrl: 'http://a.example.com/v1' }, null],
    ['another port', compatible, { baseUrl: 'https://a.example.com:444/v1' }, null],
    ['an address instead of the default of its kind', {}, { baseUrl: 'https://a.example.com/v1' }, null],
    ['another kind', {}, { kind: 'anthropic' }, null],
    ['another kind at the same address', compatible, { kind: 'openai' }, null],
    ['another address with a new key', compatible, { baseUrl: 'https://b.example.com', apiKey: 'k2' }, 'k2'],
    [
      'the same address with a trailing slash',
      compatible,
      { baseUrl: 'https://a.example.com/v1/' },
      'sk-old',
    ],
    ['the explicit default address of its kind', {}, { baseUrl: own }, 'sk-old'],
  ])(
    'is dropped if a change could send it elsewhere: %s [CON-2]',
    async (_where, before, moved, expected) => {
      for (const method of ['PUT', 'PATCH']) {
        const connection = await create({ ...before, apiKey: 'sk-old' })
        const fields = { name: 'New', kind: 'openai', ...before, ...moved }
        expect((await change(method, connection, fields)).hasApiKey).toBe(expected !== null)
        expect(await keyOf(connection)).toBe(expected)
        await change(method, connection, { name: 'New', kind: 'openai', baseUrl: null, ...before })
        if (expected !== 'sk-old') expect(await keyOf(connection)).toBeNull()
      }
    },
  )

  test('is encrypted and cannot be decrypted in another place [ACC-5]', async () => {
    const [one, other] = [await create({ apiKey: 'sk-one' }), await create({ apiKey: 'sk-other' })]
    const [first, second] = [await recordOf(one), await recordOf(other)]
    const sealed = first.sealedApiKey ?? ''
    expect(JSON.stringify(first)).not.toContain('sk-one')
    expect(cipher.open(sealed, secretContext(first))).toBe('sk-one')
    expect(() => cipher.open(sealed, secretContext(second))).toThrow()
    expect(() => cipher.open(sealed, secretContext({ ...first, organizationId: second.id }))).toThrow()
    expect(() => makeCipher(`${secret}!`).open(sealed, secretContext(first))).toThrow()
    await change('PATCH', one, { apiKey: 'sk-one' })
    expect((await recordOf(one)).sealedApiKey).toBe(sealed)
    for (const apiKey of ['sk-two', 'sk-one']) await change('PATCH', one, { apiKey })
    expect((await recordOf(one)).sealedApiKey).not.toBe(sealed)
  })
})
