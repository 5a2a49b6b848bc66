import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@parley/contract'
import { beforeAll, expect, test } from 'vitest'
import type { Credentials } from '../../support/api-client.js'
import { runCommand } from '../../support/cli/run-command.js'
import { send } from '../../support/http/send.js'
import { useService } from '../../support/http/use-service.js'
import { addOrganization } from '../../support/organizations.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'

/** Clears the screen, hides text, reverses it, and adds rows of its own. */
const hostile =
  'k\u001b[2J\u001b[8m\u001b]0;title\u0007\u009b31m\u202e\u2066\u200b\u00ad\u2028\ttwo\r\nlines\r\n  X-Api-Key  prl_fake'

/** The color codes that a terminal receives. */
const esc = '\u001b'
const ownColors = new RegExp(`${esc}\\[(?:2|22|31|32|33|39)m`, 'g')

const http = useService({ database: 'postgres' })
let cwd: string
let credentials: Credentials
let agentId: string

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'parley-names-'))
  credentials = await addOrganization(http.running)
  const client = http.client.as(credentials)
  const body = { name: 'a', externalId: 'gone', managedBy: 's', systemMessage: 'One.\nTwo.' }
  agentId = (await client.call<Agent>('POST', '/api/v1/Agent', { body })).body.id
  await client.call('POST', '/api/v1/Agent', { body: { ...body, externalId: 'kept' } })
  // Rows that an earlier version without this rule has accepted.
  await withPostgresClient(http.running.databaseUrl ?? '', async (sql) => {
    const { organizationId } = credentials
    await sql.query('update agent set name = $1, system_message = $1 where organization_id = $2', [
      hostile,
      organizationId,
    ])
    await sql.query('update api_key set name = $1 where organization_id = $2', [hostile, organizationId])
    await sql.query('update organization set name = $1 where id = $2', [hostile, organizationId])
  })
})

async function run(args: readonly string[], isTTY: boolean): Promise<readonly string[]> {
  const { organizationId: ORG, apiKey: KEY } = credentials
  const env = {
    ...{ ORG, KEY, DATABASE_URL: http.running.databaseUrl ?? '' },
    PARLEY_SECRET: 'a secret for tests that is long enough',
  }
  const { stdout, stderr } = await runCommand(args, { env, cwd, isTTY })
  const lines = `${stdout}${stderr}`.split('\n')
  // Removes our own colors, which only a terminal receives.
  const plain = lines.map((line) => line.replaceAll(ownColors, ''))
  expect(plain.filter((line) => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(line))).toEqual([])
  expect(plain.filter((line) => line.trim().startsWith('X-Api-Key'))).toEqual([])
  return plain
}

test.each([false, true])(
  'keys and organizations with hostile names are listed on one line each [CLI-15]',
  async (isTTY) => {
    const keys = await run(['key', 'list', '--org', credentials.organizationId], isTTY)
    expect(keys.filter((line) => line !== '')).toHaveLength(2)
    expect(keys[1]).toContain(
      String.raw`k\u001b[2J\u001b[8m\u001b]0;title\u0007\u009b31m\u202e\u2066\u200b\u00ad\u2028\ttwo\r\n`,
    )
    const organizations = await run(['org', 'list'], isTTY)
    const own = organizations.filter((line) => line.startsWith(credentials.organizationId))
    expect(own).toHaveLength(1)
    expect(own[0]).toContain(String.raw`\u202e`)
  },
)

test.each([false, true])(
  'every planned deletion is shown, whatever its names and texts contain [CLI-15]',
  async (isTTY) => {
    const file = join(cwd, 'agents.yaml')
    await writeFile(file, 'set: s\nagents: { kept: { name: kept, systemMessage: "a\\e[2J\\nb\\u202e" } }\n')
    const lines = await run(['plan', file, '--prune', '--url', http.running.url], isTTY)
    expect(lines.filter((line) => line.startsWith('- agents gone'))).toHaveLength(1)
    expect(lines).toContainEqual(expect.stringMatching(/ to delete/))
  },
)

test('text of a file and of the service is escaped in errors [CLI-15]', async () => {
  const file = join(cwd, 'wrong.yaml')
  await writeFile(file, 'set: s\nagents: { a: { name: a, "c\\e[2J\\r\\nApplied: 1 of 1.": x } }\n')
  const lines = await run(['plan', file, '--url', http.running.url], false)
  expect(lines.join('\n')).toContain(String.raw`c\u001b[2J\r\nApplied: 1 of 1.`)
  expect(lines).not.toContain('Applied: 1 of 1.')
})

test('an export for programs and JSON output are printed unchanged [CLI-15]', async () => {
  const { organizationId: ORG, apiKey: KEY } = credentials
  const args = ['export', '--url', http.running.url]
  const [plain, json] = await Promise.all(
    [args, [...args, '--json']].map((each) => runCommand(each, { env: { ORG, KEY }, cwd })),
  )
  expect(JSON.parse(json?.stdout ?? '').file).toBe(plain?.stdout)
})

test('the service returns a name stored by an earlier version and rejects storing it again [API-26]', async () => {
  const client = http.client.as(credentials)
  const path = `/api/v1/Agent/${agentId}`
  // The test client checks responses against the rules for new values, so this request does not use it.
  const headers = { 'x-org-id': credentials.organizationId, 'x-api-key': credentials.apiKey }
  const read = await send(http.running.url, { method: 'GET', path, headers })
  expect([read.status, JSON.parse(read.text).name]).toEqual([200, hostile])
  expect((await client.call('PATCH', path, { body: { description: 'x' } })).status).toBe(400)
  const mended = await client.call<Agent>('PATCH', path, { body: { name: 'b', description: 'x' } })
  expect([mended.status, mended.body.description]).toEqual([200, 'x'])
  expect((await client.call('DELETE', path)).status).toBe(204)
})

const tool = { kind: 'builtin', builtin: 'current_time', name: 'time' }

test.each<[string, object, string]>([
  ['Agent', { name: 'a\nb' }, 'name'],
  ['Agent', { name: 'a', externalId: 'a\u001bb' }, 'externalId'],
  ['Agent', { name: 'a', managedBy: 'a\u007f' }, 'managedBy'],
  ['Agent', { name: 'a', tools: [{ ...tool, title: 'a\tb' }] }, 'tools[0].title'],
  ['Connection', { name: 'a\u009b', kind: 'openai' }, 'name'],
  ['Webhook', { name: 'a\u0007', url: 'https://a.example/', events: ['task.created'] }, 'name'],
  ['Budget', { name: 'a\r', period: 'month', limit: { amount: 5 } }, 'name'],
  ['ApiKey', { name: 'a\u001b[2J', scopes: ['agent:read'] }, 'name'],
  ['Task', { title: 'a\nb' }, 'title'],
])('control characters in names are rejected, here of %s as %j [API-26]', async (resource, body, path) => {
  const mistakes = await http.mistakesIn('POST', `/api/v1/${resource}`, body)
  expect(mistakes).toEqual([{ path, message: 'must not contain control characters, such as line breaks' }])
})
