import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { findFreePort } from '../support/services/free-port.js'
import { cleanUp, newPostgres, slow, startParley } from './parley-process.js'

afterEach(cleanUp)

const misconfigured = { code: 2, signal: null }

/** Whether somebody accepts connections there. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.unref().once('connect', () => socket.destroy())
  })
}

/** The lines of a list of mistakes. */
const listed = (text: string) => text.split('\n').filter((line) => line.startsWith('  - '))

describe('settings that are wrong', slow, () => {
  test('[CFG-1] are listed all at once, before anything listens or is written', async () => {
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
    const watched = (async () => {
      while (!isEnded) expect(await isListening(port)).toBe(false)
    })()
    expect(await parley.ended).toEqual(misconfigured)
    isEnded = true
    await watched

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

  const cases = [
    [
      '[CFG-2] a name that is no setting',
      { PARLEY_SECERT: 'x' },
      'PARLEY_SECERT is not a setting; did you mean PARLEY_SECRET?',
    ],
    ['[CFG-1] PostgreSQL without a secret', { PARLEY_SECRET: '' }, 'PARLEY_SECRET is not set'],
    [
      '[CFG-1] workers without PostgreSQL',
      { DATABASE_URL: '', PARLEY_WORKERS: '2' },
      'PARLEY_WORKERS is more',
    ],
  ] as const

  test.each(cases)('%s', async (_title, env, mistake) => {
    const parley = await startParley({ env: { ...(await newPostgres()), ...env } })
    expect(await parley.ended).toEqual(misconfigured)
    expect(listed(parley.stderr())).toEqual([expect.stringContaining(`  - ${mistake}`)])
    expect(parley.stdout()).toBe('')
    expect(existsSync(join(parley.directory, 'data'))).toBe(false)
  })
})

describe('a start that cannot succeed', slow, () => {
  test('[ACC-6] under another secret than the database was set up with is refused', async () => {
    const env = await newPostgres()
    const first = await startParley({ env })
    await first.ready()
    const second = await startParley({
      env: { ...env, PARLEY_SECRET: 'another secret that is long enough too' },
    })
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.stderr()).toBe(
      'Parley cannot start: PARLEY_SECRET is not the one this database was set up with. ' +
        'Stored secrets cannot be opened with it.\n',
    )
    expect(second.stdout()).toBe('')
  })

  test('says why in a sentence: the port is taken, the database is not there', async () => {
    const env = await newPostgres()
    const first = await startParley({ env })
    const { port } = new URL(await first.ready())
    const nowhere = `postgres://postgres@127.0.0.1:${await findFreePort()}/parley`
    const reasons = [
      [{ PORT: port }, /^Parley cannot start: listen EADDRINUSE.*\n$/],
      [{ DATABASE_URL: nowhere }, /^Parley cannot start: connect ECONNREFUSED.*\n$/],
    ] as const
    for (const [change, reason] of reasons) {
      const parley = await startParley({ env: { ...env, ...change } })
      expect(await parley.ended).toEqual({ code: 1, signal: null })
      expect(parley.stderr()).toMatch(reason)
    }
  })
})
