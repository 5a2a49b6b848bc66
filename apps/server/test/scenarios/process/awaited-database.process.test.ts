import { afterEach, describe, expect, test } from 'vitest'
import {
  cleanUp,
  newPostgres,
  type ParleyProcess,
  patiently,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { findFreePort } from '../../support/services/free-port.js'
import { startTcpProxy } from '../../support/services/tcp-proxy.js'

afterEach(cleanUp)

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => null,
  )

/** Returns the log messages about waiting for the database. */
const waits = (parley: ParleyProcess) =>
  parley
    .stdout()
    .match(/waiting for the database: [^"]+/g)
    ?.map((line) => line.replace(/^.*?: /, '')) ?? []

async function startWithoutDatabase(DATABASE_URL: string) {
  const port = await findFreePort()
  const postgres = await newPostgres()
  const parley = await startParley({ env: { ...postgres, DATABASE_URL, PORT: String(port) } })
  const url = `http://127.0.0.1:${port}`
  await expect.poll(() => waits(parley).length, patiently).toBeGreaterThan(0)
  return { parley, url }
}

describe('a start while PostgreSQL is unavailable', slow, () => {
  test('waits, is alive but not ready, and serves once the server is available [OPS-13]', async () => {
    const postgres = await newPostgres()
    const { hostname, port } = new URL(postgres.DATABASE_URL)
    const proxy = await startTcpProxy(hostname, Number(port))
    await proxy.cut()
    const { parley, url } = await startWithoutDatabase(proxy.rewriteUrl(postgres.DATABASE_URL))
    await expect.poll(() => statusOf(`${url}/healthz`), patiently).toBe(200)
    const readiness = await fetch(`${url}/readyz`)
    expect([readiness.status, readiness.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await readiness.json()).toMatchObject({
      errorCode: 'Unavailable',
      detail: expect.stringContaining('database'),
    })
    await proxy.restore()
    await parley.ready()
    expect(await statusOf(`${url}/readyz`)).toBe(200)
    // One line for each change, however many attempts were made.
    expect(waits(parley)).toEqual([
      `nothing answers at 127.0.0.1:${proxy.port}; is it running? The address comes from DATABASE_URL.`,
    ])
    expect(parley.stdout()).toContain('the database is available')
    await proxy.close()
  })

  test('reports a host name that cannot be resolved [OPS-13]', async () => {
    const { parley } = await startWithoutDatabase('postgres://user:hunter2@nosuchhost.invalid/parley')
    expect(waits(parley)).toEqual([
      'the host name in nosuchhost.invalid:5432 cannot be resolved. Check the name in DATABASE_URL, and the DNS.',
    ])
  })

  test('reports the folder without a server socket [OPS-13]', async () => {
    const { parley } = await startWithoutDatabase('postgres:///parley?host=/nowhere')
    expect(waits(parley)).toEqual([
      'nothing answers at /nowhere; is it running? The address comes from DATABASE_URL.',
    ])
  })

  test('ends at the first signal [OPS-13]', async () => {
    const { parley } = await startWithoutDatabase(`postgres://user@127.0.0.1:${await findFreePort()}/parley`)
    parley.signal('SIGTERM')
    expect(await parley.ended).toEqual({ code: 0, signal: null })
  })
})
