import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeFrameSocket, RelayWebSocket } from '@parley/relay-socket'
import { Registry } from 'prom-client'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeMemoryLimiter } from '#server/adapters/rate-limiter/limiters.js'
import { makeCipher } from '#server/adapters/system/cipher.js'
import { makeLog } from '#server/adapters/system/log.js'
import {
  makePrometheusMetrics,
  makePrometheusRealtimeMetrics,
} from '#server/adapters/system/prometheus-metrics.js'
import { systemTimers as timers } from '#server/adapters/system/timers.js'
import { noTracing } from '#server/adapters/system/tracing.js'
import { parseConfig } from '#server/config/config.js'
import { Limits } from '#server/domain/limits/organization-limits.js'
import { RunningSessions } from '#server/domain/realtime/session/running-sessions.js'
import { makeClientAddress } from '#server/edge/http/request/client-address.js'
import { makeUpgradeHandler, type UpgradeDependencies } from '#server/edge/ws/upgrade.js'
import { chainSecrets } from '../../support/audit/chain-secrets.js'
import { closeAfterwards } from '../../support/close-afterwards.js'
import { noWorkMetrics } from '../../support/no-work-metrics.js'
import { noTools } from '../../support/realtime/no-tools.js'
import { requestHandshake } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { endedSession } from '../../support/realtime/spoken-turns.js'

const broken = (what: string) => (): never => {
  throw new Error(`the ${what} is broken`)
}

const rates = { caller: 1000, organization: 1000 }

/** A log that fails at every line. */
const brokenLog = makeLog('debug', false, { destination: { write: broken('log') } })

let service: RealtimeTestService
const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => void unhandled.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled)
  process.on('uncaughtException', onUnhandled)
  service = await startRealtimeService()
})

afterAll(async () => {
  process.off('unhandledRejection', onUnhandled)
  process.off('uncaughtException', onUnhandled)
  await service.close()
})

/** The upgrade handler on its own port with the service's database and failing parts. */
async function listen(failing: Partial<UpgradeDependencies>) {
  const parsed = parseConfig({})
  if (!parsed.ok) throw new Error('The defaults are not a valid configuration.')
  const settings = parsed.config.realtime
  const registry = new Registry()
  const instanceId = uuid()
  const lines: string[] = []
  const outside = {
    database: service.service.database,
    clock: { now: () => new Date() },
    timers,
    log: makeLog('debug', false, { destination: { write: (line) => void lines.push(line) } }),
  }
  const metrics = makePrometheusRealtimeMetrics(registry)
  const sessions = new RunningSessions(
    {
      ...outside,
      tools: noTools(outside),
      metrics,
      workMetrics: noWorkMetrics,
      tracing: noTracing,
      config: settings,
    },
    { instanceId, leaseSeconds: 15 },
  )
  const server = createServer()
  const dependencies: UpgradeDependencies = {
    ...outside,
    chainKeys: chainSecrets.chainKeys,
    cipher: makeCipher('a secret for tests that is long enough'),
    instanceId,
    settings,
    limits: new Limits({ maxima: parsed.config.organization, metrics: { limitReached: () => undefined } }),
    sessions,
    server,
    rateLimiter: makeMemoryLimiter(rates),
    metrics: makePrometheusMetrics(registry, () => registry.metrics()),
    clientAddress: makeClientAddress(0),
    provider: { connect: () => new Promise(() => undefined) },
    maxMessageBytes: settings.maxMessageBytes,
    isDraining: () => false,
    sockets: {
      webSocketClass: RelayWebSocket,
      wrap: (socket, connection) =>
        makeFrameSocket(socket as RelayWebSocket, {
          fast: { connection, peer: 'client', maxMessageBytes: settings.maxMessageBytes, usesZeroMask: true },
        }),
    },
    ...failing,
  }
  server.on('upgrade', makeUpgradeHandler(dependencies))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterwards(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sessions, lines }
}

/** The status of the response, or 'cut' if the connection ended without one. */
const shake = (url: string, path: string) =>
  requestHandshake(url, path).then(
    ({ status }) => status,
    () => 'cut',
  )

const cases: Readonly<Record<string, readonly [failing: Partial<UpgradeDependencies>, answer: 503 | 'cut']>> =
  {
    'a limiter that rejects': [
      { rateLimiter: { ...makeMemoryLimiter(rates), take: async () => broken('limiter')() } },
      503,
    ],
    'a limiter that throws': [{ rateLimiter: { ...makeMemoryLimiter(rates), take: broken('limiter') } }, 503],
    'a client address that cannot be determined': [{ clientAddress: broken('address') }, 503],
    'a drain check that fails': [{ isDraining: broken('state') }, 503],
    'a log that fails': [{ log: brokenLog, clientAddress: broken('address') }, 'cut'],
    'a rejection that cannot be logged': [{ log: brokenLog }, 'cut'],
  }

describe('a handshake that fails internally [RT-38]', () => {
  test.each(Object.entries(cases))(
    'gets 503 or a cut connection, and other handshakes continue: %s',
    async (_, [failing, answer]) => {
      const { url, sessions } = await listen(failing)
      const path = `/api/v1/Agent/${service.agentId}/realtime?sessionId=unknown&conversationId=none`
      expect(await Promise.all([shake(url, path), shake(url, path)])).toEqual([answer, answer])
      expect(await sessions.drain(1000)).toBe(true)
      expect(unhandled).toEqual([])
    },
  )

  test('a socket that the service cannot serve is cut, and its session ends', async () => {
    const { webSocketPath, conversationId } = await service.createTicket()
    const { url, sessions, lines } = await listen({
      sockets: { webSocketClass: RelayWebSocket, wrap: broken('socket') },
    })
    const { status, text } = await requestHandshake(url, webSocketPath)
    expect([status, text]).toEqual([101, ''])
    const { endReason } = await endedSession(service.client, conversationId)
    expect(endReason).toBe('internal')
    expect(lines.join('')).toContain('the socket is broken')
    expect(await sessions.drain(1000)).toBe(true)
    expect(unhandled).toEqual([])
  })
})
