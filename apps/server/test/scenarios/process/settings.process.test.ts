import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cleanUp, newPostgres, patiently, slow, startParley } from '../../support/process/parley-process.js'
import { findFreePort } from '../../support/services/free-port.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { startService } from '../../support/start-service.js'

afterAll(cleanUp)

const misconfigured = { code: 2, signal: null }

/** Returns whether a server accepts connections on this port. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/** Returns the lines of a list of errors. */
const listed = (text: string) => text.split('\n').filter((line) => line.startsWith('  - '))

describe('invalid settings', slow, () => {
  test('lists all invalid settings before the service listens or writes anything [CFG-1]', async () => {
    const port = await findFreePort()
    const secret = 'hunter3'
    const parley = await startParley({
      env: {
        PORT: String(port),
        LOG_LEVEL: 'loud',
        DATABASE_URL: 'mysql://root:hunter2@localhost/parley',
        PARLEY_SECRET: secret,
        PARLEY_DRAIN_SECONDS: '-1',
        PARLEY_WORKERS: 'many',
        PARLEY_MCP_SERVERS: '{',
      },
    })
    let isEnded = false
    const ended = parley.ended.finally(() => {
      isEnded = true
    })
    await vi.waitUntil(async () => {
      expect(await isListening(port)).toBe(false)
      return isEnded
    }, patiently)
    expect(await ended).toEqual(misconfigured)

    const names = listed(parley.stderr()).map((line) => /[A-Z_]+/.exec(line)?.[0])
    expect(names.sort()).toEqual([
      'DATABASE_URL',
      'LOG_LEVEL',
      'PARLEY_DRAIN_SECONDS',
      'PARLEY_MCP_SERVERS',
      'PARLEY_SECRET',
      'PARLEY_WORKERS',
    ])
    for (const line of listed(parley.stderr())) expect(line).toContain('; accepted: ')
    for (const hidden of ['hunter2', secret]) expect(parley.stderr()).not.toContain(hidden)
    expect(parley.stdout()).toBe('')
    expect(existsSync(join(parley.directory, 'data'))).toBe(false)
  })

  test('lists unknown names with suggestions [CFG-2]', async () => {
    const parley = await startParley({ env: { PARLEY_SECERT: 'x', PARLEY_PORT: '80' } })
    expect(await parley.ended).toEqual(misconfigured)
    expect(listed(parley.stderr())).toEqual([
      '  - PARLEY_SECERT is not a setting; did you mean PARLEY_SECRET?',
      '  - PARLEY_PORT is not a setting; did you mean PORT?',
    ])
    expect(existsSync(join(parley.directory, 'data'))).toBe(false)
  })
})

describe('a start that cannot succeed', slow, () => {
  const failed = { code: 1, signal: null }
  let env: Readonly<Record<string, string>>

  beforeAll(async () => {
    env = await newPostgres()
    await (await startService({ env })).close()
  })

  test('fails if the secret differs from the one of the database [ACC-6]', async () => {
    const PARLEY_SECRET = 'another secret that is long enough too'
    const second = await startParley({ env: { ...env, PARLEY_SECRET } })
    expect(await second.ended).toEqual(failed)
    expect(second.stderr()).toBe(
      'Parley cannot start: PARLEY_SECRET is not the secret that this database was set up with. ' +
        'It cannot decrypt the stored secrets.\n',
    )
    expect(second.stdout()).not.toContain('cannot start')
  })

  test('names DATABASE_URL if the server rejects the user or lacks the database [OPS-13]', async () => {
    const [nobody, nowhere] = [new URL(env.DATABASE_URL ?? ''), new URL(env.DATABASE_URL ?? '')]
    nobody.username = 'nobody_of_this_name'
    nowhere.pathname = '/there_is_no_such_database'
    for (const [url, reason] of [
      [
        nobody,
        'rejects the user or the password of DATABASE_URL: role "nobody_of_this_name" does not exist.',
      ],
      [
        nowhere,
        'does not have the database of DATABASE_URL: database "there_is_no_such_database" does not exist.',
      ],
    ] as const) {
      const second = await startParley({ env: { ...env, DATABASE_URL: url.href } })
      expect(await second.ended).toEqual(failed)
      expect(second.stderr()).toBe(`Parley cannot start: PostgreSQL at ${url.host} ${reason}\n`)
    }
  })

  test('shows the error of the database without the values of the query [OPS-22]', async () => {
    const broken = await newPostgres()
    const first = await startService({ env: broken })
    await first.close()
    await withPostgresClient(broken.DATABASE_URL, (client) =>
      client.query('alter table connection drop column models'),
    )
    const second = await startParley({ env: broken })
    expect(await second.ended).toEqual(failed)
    expect(second.stderr()).toMatch(
      /^Parley cannot start: a database query failed: column "models" does not exist\n {2}Query: select [^\n]+\n$/,
    )
  })
})
