import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PhoneConnection, PhoneNumber } from '@parley/contract'
import { beforeAll, expect, test } from 'vitest'
import type { ApiClient, Credentials } from '../../support/api-client.js'
import { runCommand } from '../../support/cli/run-command.js'
import { useService } from '../../support/http/use-service.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'

const http = useService()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-phones-'))
})

const secret = 'a-twilio-auth-token'

async function run(credentials: Credentials, args: readonly string[], token = secret) {
  const { organizationId: ORG, apiKey: KEY } = credentials
  const options = { env: { ORG, KEY, TWILIO_SECRET: token }, cwd: folder }
  return runCommand([...args, '--url', http.running.url], options)
}

const fileOf = async (name: string, text: string) => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const phones = (account: string, greeting = 'Good day.', withSecret = true) => `set: hotel
agents:
  desk: { name: Desk }
phoneConnections:
  twilio:
    name: Twilio
    kind: twilio
    accountId: ${account}
    ${withSecret ? `secret: "\${env:TWILIO_SECRET}"` : 'maxCalls: 10'}
    allowedPrefixes: ["+49"]
    pricePerMinute: { outgoing: 0.014 }
phoneNumbers:
  reception: { name: Reception, number: "+4930123456", phoneConnection: twilio, agent: desk, greeting: ${greeting} }
`

async function stored(client: ApiClient) {
  const list = async <Item>(kind: string) =>
    (await client.call<{ items: Item[] }>('GET', `/api/v1/${kind}`)).body.items
  const [connection] = await list<PhoneConnection>('PhoneConnection')
  const [number] = await list<PhoneNumber>('PhoneNumber')
  const [agent] = await list<{ id: string }>('Agent')
  return { connection, number, agent }
}

test('phones are created, changed and compared, with their references and secrets [TEL-35]', async () => {
  const credentials = await addOrganization(http.running)
  const client = http.running.client.as(credentials)
  const file = await fileOf('phones.yaml', phones('AC1'))
  const planned = await run(credentials, ['plan', file])
  expect(planned.stdout).toContain('+ phoneNumbers reception (Reception)')
  expect(planned.stdout).not.toContain(secret)
  expect((await run(credentials, ['apply', file])).code).toBe(0)
  const { connection, number, agent } = await stored(client)
  expect(connection).toMatchObject({ externalId: 'twilio', managedBy: 'hotel', hasSecret: true })
  expect(connection?.pricePerMinute).toEqual({ incoming: null, outgoing: 0.014 })
  expect(number).toMatchObject({ phoneConnectionId: connection?.id, agentId: agent?.id })

  expect((await run(credentials, ['plan', file])).stdout).toContain('No changes')
  const rotated = await run(credentials, ['plan', file], 'another-token')
  expect(rotated.stdout).toContain('secret')
  expect(rotated.stdout).not.toContain('another-token')
  await fileOf('phones.yaml', phones('AC1', 'Good evening.'))
  expect((await run(credentials, ['plan', file])).stdout).toContain('greeting')
  await fileOf('phones.yaml', phones('AC2', 'Good day.', false))
  expect((await run(credentials, ['plan', file])).stdout).toContain('Add secret:')
})

test('an export of phones recreates them in another organization, without secrets [TEL-35]', async () => {
  const [one, other] = [await addOrganization(http.running), await addOrganization(http.running)]
  await run(one, ['apply', await fileOf('source.yaml', phones('AC1'))])
  const exported = await run(one, ['export', '--set', 'hotel', '--out', join(folder, 'exported.yaml')])
  expect(exported.code).toBe(0)
  const text = await readFile(join(folder, 'exported.yaml'), 'utf8')
  expect(text).toContain('$' + '{env:TWILIO_SECRET}')
  expect(text).not.toContain(secret)
  expect((await run(one, ['plan', join(folder, 'exported.yaml')])).stdout).toContain('No changes')
  expect((await run(other, ['apply', join(folder, 'exported.yaml')])).code).toBe(0)
  const copy = await stored(http.running.client.as(other))
  expect(copy.connection).toMatchObject({ accountId: 'AC1', hasSecret: true })
  expect(copy.number).toMatchObject({ phoneConnectionId: copy.connection?.id, agentId: copy.agent?.id })
})

test('a mistake in a phone is reported with its place, and a plain secret is rejected [TEL-35]', async () => {
  const credentials = await addOrganization(http.running)
  const mistakes = [
    [
      'phoneConnections:\n  c: { name: C, kind: twilio, accountId: A, secret: plain }',
      'c.secret must not contain',
    ],
    ['phoneConnections:\n  c: { name: C, kind: sip, accountId: A }', 'phoneConnections.c.sip is required'],
    ['phoneNumbers:\n  n: { name: N, number: "+491", phoneConnection: none }', 'phoneConnection names none'],
  ] as const
  for (const [text, words] of mistakes) {
    const file = await fileOf('mistake.yaml', `set: s\n${text}\n`)
    const { code, stderr } = await run(credentials, ['plan', file])
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)])
  }
})

test('a key without the scopes of the telephone still exports and prunes the rest [TEL-35]', async () => {
  const credentials = await addOrganization(http.running)
  await run(credentials, ['apply', await fileOf('full.yaml', phones('AC1'))])
  const { stores } = http.running.service.database
  const scopes = ['agent:read', 'agent:write', 'connection:read', 'webhook:read', 'usage:read'] as const
  const apiKey = await addApiKey(stores, credentials.organizationId, [...scopes])
  const limited = { ...credentials, apiKey }
  expect((await run(limited, ['export', '--set', 'hotel', '--out', join(folder, 'limited.yaml')])).code).toBe(
    0,
  )
  expect(await readFile(join(folder, 'limited.yaml'), 'utf8')).not.toContain('phone')
  const pruned = await run(limited, [
    'plan',
    await fileOf('less.yaml', 'set: hotel\nagents: {}\n'),
    '--prune',
  ])
  expect(pruned.stdout).toContain('- agents desk')
  expect(pruned.stdout).not.toContain('phone')
})
