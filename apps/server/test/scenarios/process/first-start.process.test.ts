import { existsSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Agent, AuditLogRecord, Page } from '@parley/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import { announcedStart } from '../../support/process/announced-start.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newDirectory,
  newEmptyPostgres,
  newPostgres,
  type ParleyProcess,
  patiently,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { paste, readWelcome, type WelcomeText } from '../../support/process/welcome-text.js'
import { startService } from '../../support/start-service.js'

const exampleAgents = ['Front desk', 'Librarian']
const ended = { code: 0, signal: null }

afterAll(cleanUp)

async function stop(parley: ParleyProcess): Promise<void> {
  parley.signal('SIGTERM')
  expect(await parley.ended).toEqual(ended)
}

/** Returns what people read: everything except the log. Without a terminal it is on standard error. */
const announced = (parley: ParleyProcess) =>
  `${parley.stdout()}${parley.stderr()}`
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n')

/** Returns the log. Without a terminal it is all of standard output, with one JSON object per line. */
const logged = (parley: ParleyProcess) =>
  parley
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** The key is shown after the addresses. */
async function welcomeOf(parley: ParleyProcess): Promise<WelcomeText> {
  await expect.poll(() => announced(parley), patiently).toMatch(/^PARLEY_ORG_ID=[^\n]*\n/m)
  return readWelcome(announced(parley))
}

/** Returns what the service shows to a person who has the link. */
async function readInvitation(url: string, token: string): Promise<unknown> {
  const response = await fetch(`${url}/api/v1/Invitation/by-token`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  return response.json()
}

const agentNames = ({ items }: { readonly items: readonly { readonly name: string }[] }) =>
  items.map(({ name }) => name)

describe('a start with the embedded database', slow, () => {
  test('shows organization, key, a curl command and an owner link the first time, and only addresses later [OPS-1] [PPL-16]', async () => {
    const directory = await newDirectory()
    const first = await startParley({ directory })
    const firstUrl = await first.ready()
    const welcome = await welcomeOf(first)
    expect(welcome.apiKey).toMatch(/^prl_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/)
    expect(welcome.curlLine).toContain(`${firstUrl}/api/v1/Agent`)
    expect(agentNames(await paste(welcome.curlLine))).toEqual(exampleAgents)
    const { organizationId, apiKey } = welcome
    const [, token] = /^(?:http\S+)\/#\/owner\?token=(\S{43})$/m.exec(announced(first)) ?? []
    expect(await readInvitation(firstUrl, token ?? '')).toMatchObject({ role: 'owner', email: null })
    expect(welcome.talkLine).toBe(
      `PARLEY_ORG_ID='${organizationId}' PARLEY_API_KEY='${apiKey}' npm run talk -- --url ${firstUrl}`,
    )
    expect((await readdir(join(directory, 'data'))).sort()).toEqual(['database', 'lock', 'secret'])
    expect((await stat(join(directory, 'data', 'secret'))).mode & 0o777).toBe(0o600)
    await stop(first)

    const later = await startParley({ directory })
    const url = await later.ready()

    expect(announced(later)).toContain(`${url}/docs`)
    expect(announced(later)).toContain(`${directory}/data (embedded database)`)
    for (const secret of [welcome.apiKey, welcome.organizationId, 'prl_', 'curl', 'token='])
      expect(later.stdout() + later.stderr()).not.toContain(secret)
    const answer = await makeApiClient(url, welcome).call<Page<Agent>>('GET', '/api/v1/Agent')
    expect(agentNames(answer.body)).toEqual(exampleAgents)
    await stop(later)
  })
})

describe('a start with PostgreSQL', slow, () => {
  test('uses the given organization and key, does not print the key, and logs JSON [OPS-2] [OPS-8]', async () => {
    const parley = await startParley({ env: { ...(await newPostgres()), ...bootstrap, LOG_LEVEL: 'debug' } })
    const url = await parley.ready()
    const welcome = await welcomeOf(parley)
    expect(welcome.organizationId).toBe(credentials.organizationId)
    expect(agentNames(await paste(welcome.curlLine, bootstrap))).toEqual(exampleAgents)
    expect(welcome.talkLine).toContain('KEY="$PARLEY_BOOTSTRAP_API_KEY" npm run talk')
    expect((await makeApiClient(url, credentials).call('GET', '/healthz')).status).toBe(200)
    expect(existsSync(join(parley.directory, 'data'))).toBe(false)
    await stop(parley)
    expect(parley.stdout() + parley.stderr()).not.toContain(credentials.apiKey)
    expect(parley.stdout() + parley.stderr()).not.toContain('token=')
    expect(announced(parley)).toContain('parley owner-link')
    expect(logged(parley)).toContainEqual(expect.objectContaining({ level: 30, path: '/api/v1/Agent' }))
    expect(logged(parley)).toContainEqual(expect.objectContaining({ level: 20, path: '/healthz' }))
  })

  test('writes the key to a private file if there is no terminal [OPS-3]', async () => {
    const env = await newPostgres()
    const first = await startParley({ env })
    await first.ready()
    const path = join(first.directory, 'data', 'first-start.txt')
    await expect
      .poll(() => announced(first), patiently)
      .toContain(`Your organization ID and API key are in ${path}\n`)
    expect(first.stdout() + first.stderr()).not.toContain('prl_')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(first.directory, 'data'))).mode & 0o777).toBe(0o700)
    const welcome = readWelcome(await readFile(path, 'utf8'))
    expect(first.stdout() + first.stderr()).not.toContain(welcome.organizationId)
    expect(agentNames(await paste(welcome.curlLine))).toEqual(exampleAgents)

    const dataDir = join(await newDirectory(), 'data')
    const later = await startService({ env: { ...env, PARLEY_DATA_DIR: dataDir, LOG_LEVEL: 'warn' } })
    expect(await announcedStart(later)).not.toContain('first-start')
    expect(later.log).toEqual([])
    expect(existsSync(dataDir)).toBe(false)
  })

  test('prints the key if the file cannot be written [OPS-3]', async () => {
    const dataDir = join(await newDirectory(), 'data')
    await writeFile(dataDir, 'a file where the directory should be')
    const screen = await announcedStart(await startService({ env: { PARLEY_DATA_DIR: dataDir } }))
    expect(screen).toMatch(/Cannot write \S+first-start\.txt \(/)
    expect(agentNames(await paste(readWelcome(screen).curlLine))).toEqual(exampleAgents)
  })

  test('shows the key in colour and a readable log in a terminal [OPS-3] [OPS-8]', async () => {
    const env = { ...(await newPostgres()), LOG_LEVEL: 'debug' }
    const parley = await startParley({ env, inTerminal: true })
    const url = await parley.ready()
    const welcome = await welcomeOf(parley)
    expect(agentNames(await paste(welcome.curlLine))).toEqual(exampleAgents)
    expect(existsSync(join(parley.directory, 'data'))).toBe(false)
    const bold = (text: string) => `\u001b[1m${text}\u001b[22m`
    expect(parley.stdout()).toContain(bold('Your organization ID and API key, shown only once:'))

    expect((await makeApiClient(url, welcome).call('GET', '/api/v1/Task')).status).toBe(200)
    expect((await makeApiClient(url, welcome).call('GET', '/api/v1/Task/none')).status).toBe(404)
    const lineOf = (text: string) =>
      new RegExp(`\u001b\\[34mDEBUG\u001b\\[39m: .*${text}.* in \\d+ ms.*"requestId":`)
    await expect.poll(parley.stdout, patiently).toMatch(lineOf('GET /api/v1/Task: 200 OK'))
    await expect.poll(parley.stdout, patiently).toMatch(lineOf('GET /api/v1/Task/none: 404 Not Found'))
    expect(parley.stdout()).not.toContain('{"level"')

    parley.child.stdin?.write('\u0003')
    expect(await parley.ended).toEqual(ended)
    expect(parley.stdout()).toContain('shutting down')
  })

  test('shows no requests and turns in a terminal by default [OPS-8]', async () => {
    const parley = await startParley({ env: { ...(await newPostgres()), ...bootstrap }, inTerminal: true })
    const client = makeApiClient(await parley.ready(), credentials)
    const { body: agents } = await client.call<Page<Agent>>('GET', '/api/v1/Agent')
    const path = `/api/v1/Agent/${agents.items[0]?.id}/question`
    expect((await client.call('POST', path, { body: { question: 'Hello!' } })).status).toBe(200)
    const refused = await client.as({ ...credentials, apiKey: 'wrong' }).call('GET', '/api/v1/Agent')
    expect(refused.status).toBe(401)
    parley.child.stdin?.write('\u0003')
    expect(await parley.ended).toEqual(ended)
    const lines = stripVTControlCharacters(parley.stdout()).match(/^.*(?:DEBUG|INFO|WARN|ERROR):.*$/gm)
    expect(lines).toEqual([expect.stringContaining('INFO: shutting down')])
  })

  test('sets up one installation if three instances start together, and all serve it [OPS-4] [DB-2]', async () => {
    const env = await newEmptyPostgres()
    const instances = await Promise.all(Array.from({ length: 3 }, () => startParley({ env })))
    const urls = await Promise.all(instances.map((instance) => instance.ready()))
    const told = (instance: ParleyProcess) =>
      announced(instance).includes('Your organization ID and API key are in')
    await expect.poll(() => instances.filter(told).length, patiently).toBe(1)
    const files = instances.map(({ directory }) => join(directory, 'data', 'first-start.txt'))
    const written = files.filter(existsSync)
    expect(written).toHaveLength(1)

    const welcome = readWelcome(await readFile(written[0] ?? '', 'utf8'))
    for (const url of urls) {
      const client = makeApiClient(url, welcome)
      const { body: agents } = await client.call<Page<Agent>>('GET', '/api/v1/Agent')
      expect(agentNames(agents)).toEqual(exampleAgents)
      const { body: connections } = await client.call<Page<{ name: string }>>('GET', '/api/v1/Connection')
      expect(agentNames(connections)).toEqual(['Built-in engine'])
      const { body: log } = await client.call<Page<AuditLogRecord>>(
        'GET',
        '/api/v1/AuditLog?Action=organization.create',
      )
      expect(log.totalCount).toBe(1)
    }
    for (const instance of instances) expect(instance.stderr()).toMatch(/^\n {2}● Parley \S+ is ready\.\n/)
  })
})
