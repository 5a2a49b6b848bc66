import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Credentials } from '../../support/api-client.js'
import { runCommand } from '../../support/cli/run-command.js'
import { useService } from '../../support/http/use-service.js'
import { addOrganization } from '../../support/organizations.js'

const secret = 'sk-supersecretvalue123'

const http = useService()
let folder: string
let credentials: Credentials

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-variables-'))
  credentials = await addOrganization(http.running)
})

let written = 0

/** Runs a command on one file. Returns its exit code and everything that it printed. */
async function run(command: 'plan' | 'apply' | 'test', text: string, options: readonly string[] = []) {
  written += 1
  const path = join(folder, `${written}${command === 'test' ? '.test' : ''}.yaml`)
  await writeFile(path, text)
  const { organizationId: ORG, apiKey: KEY } = credentials
  const env = { ORG, KEY, MYSECRET: secret, ALIAS: KEY, INNER: 'http://10.20.30.40:9/hidden-path' }
  const args = [command, path, '--url', http.running.url, ...options]
  const { code, stdout, stderr } = await runCommand(args, { env, cwd: folder })
  return { code, printed: stdout + stderr }
}

const agent = (fields: string) => `set: s\nagents:\n  a: { name: An agent, ${fields} }\n`
const tool = (fields: string) => agent(`tools: [{ kind: http, name: find, description: Finds, ${fields} }]`)

test.each([
  ['a reference', agent(`connection: "\${env:MYSECRET}"`), 'agents.a.connection'],
  ['a list of references', agent(`subAgents: ["\${env:MYSECRET}"]`), 'agents.a.subAgents[0]'],
  ['instructions', agent(`systemMessage: "Say \${env:MYSECRET}."`), 'agents.a.systemMessage'],
  ['a name', `set: s\nagents: { a: { name: "\${env:MYSECRET}" } }`, 'agents.a.name'],
  ['the set', `set: "\${env:MYSECRET}"\nagents: { a: { name: a } }`, 'set'],
  [
    'a field of an entry named headers',
    `set: s\nagents: { headers: { name: a, systemMessage: "\${env:MYSECRET}" } }`,
    'agents.headers.systemMessage',
  ],
  [
    'a parameter named url',
    tool(`parameters: { type: object, properties: { url: { description: "\${env:MYSECRET}" } } },
      request: { method: GET, url: "https://a.example/" }`),
    'agents.a.tools[0].parameters.properties.url.description',
  ],
])('a variable in %s is rejected and its value is not shown [CODE-13]', async (_, text, field) => {
  const { code, printed } = await run('plan', text)
  expect(code).toBe(1)
  expect(printed).toContain(`${field} must not use \${env:MYSECRET}`)
  expect(printed).toContain('--env MYSECRET')
  expect(printed).not.toContain(secret)
})

test('variables are accepted in addresses, keys, headers and query parameters [CODE-13]', async () => {
  const { code, printed } = await run(
    'plan',
    `set: s
connections: { c: { name: c, kind: openai-compatible, baseUrl: "https://\${env:MYSECRET}.example", apiKey: "\${env:MYSECRET}" } }
webhooks: { w: { name: w, url: "https://a.example/\${env:MYSECRET}", events: [task.created] } }
agents:
  a:
    name: a
    tools:
      - { kind: http, name: find, description: Finds, request: {
          method: GET, url: "https://a.example/\${env:MYSECRET}", query: { token: "\${env:MYSECRET}" }, headers: { Authorization: "Bearer \${env:MYSECRET}" } } }
      - { kind: mcp, name: shop, server: { url: "https://a.example/\${env:MYSECRET}", headers: { Authorization: "\${env:MYSECRET}" } } }
`,
  )
  expect(printed).toContain('3 to create.')
  expect(code).toBe(2)
  expect(printed).not.toContain(secret)
})

test('a variable is accepted anywhere if --env names it, and the output shows the text of the file [CODE-13]', async () => {
  const named = ['--env', 'MYSECRET', '--env', 'OTHER']
  const planned = await run('plan', agent(`systemMessage: "Say \${env:MYSECRET}."`), named)
  expect(planned.code).toBe(2)
  expect(planned.printed).toContain(`systemMessage: Say \${env:MYSECRET}.`)
  const unknown = await run('plan', agent(`connection: "\${env:MYSECRET}"`), named)
  expect(unknown.code).toBe(1)
  expect(unknown.printed).toContain(`names \${env:MYSECRET}, which is not among the connections`)
  const called = await run('plan', `set: s\nagents: { a: { name: "\${env:MYSECRET}" } }`, named)
  expect(called.printed).toContain(`agents a (\${env:MYSECRET})`)
  for (const { printed } of [planned, unknown, called]) expect(printed).not.toContain(secret)
})

test('no part of a value that the service quotes in an error is shown [CODE-13]', async () => {
  const text = `set: s\nwebhooks: { w: { name: w, url: "\${env:INNER}", events: [task.created] } }`
  const { code, printed } = await run('plan', text)
  expect(code).toBe(1)
  expect(printed).toContain('webhooks.w.url')
  expect(printed).not.toMatch(/10\.20\.30\.40|hidden-path/)
})

test.each(['KEY', 'ALIAS'])(
  "the command's own key is rejected as a variable, here %s [CODE-13]",
  async (name) => {
    for (const text of [
      `set: s\nconnections: { c: { name: c, kind: openai, apiKey: "\${env:${name}}" } }`,
      agent(`systemMessage: "\${env:${name}}"`),
    ]) {
      const { code, printed } = await run('apply', text, ['--env', name])
      expect(code).toBe(1)
      expect(printed).toContain(`must not use \${env:${name}}: it is the API key`)
      expect(printed).not.toContain(credentials.apiKey)
    }
  },
)

test('variables in a test file are rejected unless --env names them [CODE-13]', async () => {
  const text = `agent: "\${env:MYSECRET}"\ntests: [{ name: t, turns: [{ user: Hello }] }]`
  const refused = await run('test', text)
  expect(refused.code).toBe(2)
  expect(refused.printed).toContain(`agent must not use \${env:MYSECRET}`)
  const named = await run('test', text, ['--env', 'MYSECRET'])
  expect(named.printed).toContain(`agent is \${env:MYSECRET}, and this agent was not found.`)
  for (const { printed } of [refused, named]) expect(printed).not.toContain(secret)
})
