import { fillIn } from '@parley/agents-as-code'
import { expect, test } from 'vitest'
import { findPlainSecrets } from '#agents-as-code/environment-values.js'

const variables = (environment: Readonly<Record<string, string>>, ...named: readonly string[]) => ({
  environment,
  named: new Set(named),
  ownKey: 'sk-own',
})

const reference = (name: string) => `\${env:${name}}`

const connection = (fields: object) => ({ connections: { main: fields } })

test('fills variables into fields that hold secrets [CODE-13]', () => {
  const { content, errors } = fillIn(
    connection({ apiKey: reference('SECRET') }),
    variables({ SECRET: 'sk-1' }),
  )
  expect(errors).toEqual([])
  expect(content).toEqual(connection({ apiKey: 'sk-1' }))
})

test.each([
  ['a variable that is not set', { apiKey: reference('MISSING') }, 'which is not set'],
  ['the key of the command', { apiKey: reference('ALIAS') }, 'the API key that this command works with'],
  ['a variable in a field that can be read back', { name: reference('SECRET') }, '--env SECRET'],
  ['a name that no variable has', { apiKey: reference('A-B') }, 'must name a variable'],
])('rejects %s [CODE-13]', (_, fields, message) => {
  const { errors } = fillIn(connection(fields), variables({ SECRET: 'sk-1', ALIAS: 'sk-own' }))
  expect(errors).toHaveLength(1)
  expect(errors[0]?.message).toContain(message)
})

test('fills variables into the secrets of a phone connection, but not into its name [CODE-13] [TEL-35]', () => {
  const line = (fields: object) => ({ phoneConnections: { line: fields } })
  const known = variables({ SECRET: 'token-1' })
  const secrets = { secret: reference('SECRET'), webhookSecret: reference('SECRET') }
  expect(fillIn(line(secrets), known)).toMatchObject({
    ...{ content: line({ secret: 'token-1', webhookSecret: 'token-1' }), errors: [] },
  })
  expect(fillIn(line({ name: reference('SECRET') }), known).errors).toHaveLength(1)
})

test('keeps an escaped reference as text', () => {
  const { content } = fillIn({ name: `$${reference('SECRET')}` }, variables({}))
  expect(content).toEqual({ name: reference('SECRET') })
})

test('conceals the values of variables in messages, in any case and encoding', () => {
  const { conceal } = fillIn(connection({ apiKey: reference('SECRET') }), variables({ SECRET: 'a b/Secret' }))
  expect(conceal('A B/SECRET and a%20b%2FSecret')).toBe(`${reference('SECRET')} and ${reference('SECRET')}`)
})

test('finds secrets that are written into a file', () => {
  const found = findPlainSecrets({
    ...connection({ apiKey: 'sk-plain' }),
    phoneConnections: { line: { secret: 'plain', webhookSecret: reference('SECRET'), name: 'secret' } },
    webhooks: { hook: { headers: { Authorization: 'Bearer x', Accept: 'text/plain' } } },
  })
  expect(found.map(({ path }) => path.join('.'))).toEqual([
    'connections.main.apiKey',
    'phoneConnections.line.secret',
    'webhooks.hook.headers.Authorization',
  ])
})
