import { readFile } from 'node:fs/promises'
import { Agent, request } from 'undici'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeAfterwards } from '../support/close-afterwards.js'
import { startCaddy, startNginx } from '../support/deploy/example-proxies.js'
import { patiently, slow } from '../support/process/parley-process.js'
import { joinInstance } from '../support/questions/instances.js'
import { findFreePort } from '../support/services/free-port.js'
import { startTcpProxy, type TcpProxy } from '../support/services/tcp-proxy.js'
import { migratedDatabase, type RunningService, startService } from '../support/start-service.js'

/** More failures than a proxy tolerates before it treats an instance as down. */
const times = 12

let well: RunningService
let draining: RunningService
let down: string
let database: TcpProxy

beforeAll(async () => {
  const postgres = await migratedDatabase()
  closeAfterwards(() => postgres.drop())
  const { hostname, port } = new URL(postgres.url)
  database = await startTcpProxy(hostname, Number(port))
  const env = { DATABASE_URL: database.rewriteUrl(postgres.url) }
  well = await startService({ env })
  draining = await joinInstance(well, env.DATABASE_URL)
  draining.service.drain()
  down = `http://127.0.0.1:${await findFreePort()}`
})

/**
 * Returns the client's view through the proxy: the status and Retry-After of each response, and the code of
 * errors.
 */
async function startClient(proxy: { readonly url: string; readonly caFile: string }) {
  const dispatcher = new Agent({ connect: { ca: await readFile(proxy.caFile) } })
  closeAfterwards(() => dispatcher.close())
  // The proxy answers this path itself once it has its certificate.
  const proxyStatus = () =>
    request(`${proxy.url}/metrics`, { dispatcher }).then(({ statusCode }) => statusCode)
  await expect.poll(() => proxyStatus().catch(() => null), patiently).toBe(404)
  return async (path: string) => {
    const headers = { 'x-org-id': well.organizationId, 'x-api-key': well.apiKey }
    const answer = await request(`${proxy.url}${path}`, { dispatcher, headers })
    const body = (await answer.body.json()) as { errorCode?: string }
    return {
      status: answer.statusCode,
      errorCode: body.errorCode,
      hasRetryAfter: Number(answer.headers['retry-after']) > 0,
    }
  }
}

const askTogether = <Answer>(ask: () => Promise<Answer>) => Promise.all(Array.from({ length: times }, ask))

const unavailable = { status: 503, errorCode: 'Unavailable', hasRetryAfter: true }

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('%s with its example configuration', (_name, startProxy) => {
  test('serves reads while one instance drains and another one is down [DEPLOY-10]', slow, async () => {
    const ask = await startClient(await startProxy([draining.url, down, well.url]))
    for (let time = 0; time < times; time += 1)
      for (const path of ['/readyz', '/api/v1/Agent'])
        expect(await ask(path)).toEqual({ status: 200, errorCode: undefined, hasRetryAfter: false })
  })

  test('answers 503 with Retry-After while no instance is ready [DEPLOY-10]', slow, async () => {
    const ask = await startClient(await startProxy([draining.url, down]))
    for (const answer of await askTogether(() => ask('/readyz'))) expect(answer).toEqual(unavailable)
  })

  test('answers 503 with Retry-After while every instance is down [DEPLOY-10]', slow, async () => {
    const ask = await startClient(await startProxy([down]))
    for (const answer of await askTogether(() => ask('/api/v1/Agent'))) expect(answer).toEqual(unavailable)
  })

  test(
    'passes on the responses of the instances while the database is unavailable [DEPLOY-10]',
    slow,
    async () => {
      const other = await joinInstance(
        well,
        well.config.database.kind === 'postgres' ? well.config.database.url : '',
      )
      const ask = await startClient(await startProxy([well.url, other.url]))
      expect((await ask('/api/v1/Agent')).status).toBe(200)
      await database.cut()
      closeAfterwards(() => database.restore())
      for (const answer of await askTogether(() => ask('/api/v1/Agent'))) expect(answer).toEqual(unavailable)
      await database.restore()
      await expect.poll(() => ask('/api/v1/Agent'), slow).toMatchObject({ status: 200 })
    },
  )
})
