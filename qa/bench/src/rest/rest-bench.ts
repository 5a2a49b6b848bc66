import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Connection } from '@parley/contract'
import { inTurns } from '@parley/stage/processes/in-turns'
import { Part } from '@parley/stage/processes/part'
import { cpuMicroseconds } from '@parley/stage/processes/process-usage'
import { type ParleyService, startParley } from '@parley/stage/service/parley-service'
import { startPostgres } from '@parley/stage/service/postgres-process'
import { recordStatements } from '@parley/statement-recorder'
import type { Row } from '../report/row.js'
import { describeRows } from '../report/row-tables.js'
import type { BareCommand, BareKind } from './bare-server-process.js'
import { startBriefModel } from './brief-model.js'
import { findReplay } from './replayed-request.js'
import type { RestLoadCommand, RestLoadReport } from './rest-load-process.js'
import type { BareRoute, RestRequest } from './rest-request.js'
import { makeRestRows, type RestResult } from './rest-rows.js'

export interface RestBenchOptions {
  readonly rounds: number
  readonly seconds: number
  /** Requests of each kind to each server, until V8 has optimized the code. */
  readonly warmUpSeconds: number
}

/** A measured server: its address and its process. */
interface Target {
  readonly name: string
  readonly url: string
  readonly pid: number
}

const secret = 'a secret for the bench that is long enough'
const connections = 8
const recordings = 8
/** Time for the background work of the last request. */
const settleMilliseconds = 700
const agents = 20

/** Compares the service with bare servers that run the same statements on the same database. */
export async function runRestBench({ rounds, seconds, warmUpSeconds }: RestBenchOptions): Promise<Row[]> {
  const postgres = await startPostgres()
  const model = await startBriefModel()
  const env = { DATABASE_URL: postgres.url, PARLEY_SECRET: secret, LOG_LEVEL: 'warn' }
  const service = await startParley({ env, isBundled: true })
  const requests = await makeRequests(service, model.origin)
  const routes = await recordRoutes(service, postgres.url, requests)
  const load = new Part<RestLoadCommand>(new URL('./rest-load-process.js', import.meta.url))
  const bare = (['fastify', 'http'] as const).map((kind) => ({ kind, part: startBare() }))
  try {
    const targets: Target[] = [{ name: 'Parley', url: service.url, pid: service.pid }]
    for (const { kind, part } of bare) targets.push(await listenBare(part, kind, postgres.url, routes))
    const rows: Row[] = []
    const headers = headersOf(service)
    for (const request of requests) {
      const measured = targets.map(({ name }) => ({ name, slices: [] as RestResult['slices'][number][] }))
      const asked = { request, headers, connections }
      for (const target of targets) await measure(load, target, { ...asked, seconds: warmUpSeconds })
      for (let round = 1; round <= rounds; round += 1)
        for (const [index, target] of inTurns(round, [...targets.entries()]))
          measured[index]?.slices.push(await measure(load, target, { ...asked, seconds }))
      const statements = routes.find(({ name }) => name === request.name)?.replay.statements.length ?? 0
      const made = makeRestRows(request.name, statements, measured)
      console.log(describeRows(made))
      rows.push(...made)
    }
    return rows
  } finally {
    await Promise.all([load.stop(), ...bare.map(({ part }) => part.stop())])
    await service.stop()
    model.close()
    await postgres.stop()
  }
}

const startBare = () => new Part<BareCommand>(new URL('./bare-server-process.js', import.meta.url))

async function listenBare(
  part: Part<BareCommand>,
  kind: BareKind,
  databaseUrl: string,
  routes: readonly BareRoute[],
): Promise<Target> {
  const port = await part.ask<number>({ kind, databaseUrl, routes })
  return {
    name: kind === 'fastify' ? 'bare Fastify' : 'bare node:http',
    url: `http://127.0.0.1:${port}`,
    pid: part.pid,
  }
}

const headersOf = ({ credentials }: ParleyService) => ({
  'x-org-id': credentials.organizationId,
  'x-api-key': credentials.apiKey,
})

async function makeRequests({ api }: ParleyService, modelOrigin: string): Promise<RestRequest[]> {
  const connection = await api.call<Connection>('POST', '/api/v1/Connection', {
    name: 'Bench',
    kind: 'openai-compatible',
    baseUrl: `${modelOrigin}/v1`,
    apiKey: 'sk-bench',
    models: { chat: 'brief', realtime: ['brief'] },
  })
  const body = { systemMessage: 'You speak.', connectionId: connection.id, realtimeModel: 'brief' }
  let id = ''
  for (let index = 0; index < agents; index += 1)
    id = (await api.call<Agent>('POST', '/api/v1/Agent', { ...body, name: `Agent ${index}` })).id
  const post = (name: string, path: string, given: object) => ({
    name,
    method: 'POST' as const,
    path: `/api/v1/Agent/${id}/${path}`,
    body: given,
  })
  return [
    { name: 'list agents', method: 'GET', path: '/api/v1/Agent', body: null, modelUrl: null },
    { ...post('create session', 'realtime-session', {}), modelUrl: null },
    {
      ...post('ask', 'question', { question: 'Is it so?' }),
      modelUrl: `${modelOrigin}/v1/chat/completions`,
    },
  ]
}

/** Sends each request several times to a second instance and records its statements. */
async function recordRoutes(
  { credentials }: ParleyService,
  databaseUrl: string,
  requests: readonly RestRequest[],
): Promise<BareRoute[]> {
  const recorder = await recordStatements(databaseUrl)
  const env = { DATABASE_URL: recorder.url, PARLEY_SECRET: secret, LOG_LEVEL: 'warn' }
  const recorded = await startParley({ env, credentials, isBundled: true })
  try {
    const routes: BareRoute[] = []
    for (const request of requests) {
      const taken = []
      let answer: unknown
      for (let index = 0; index < recordings; index += 1) {
        await sleep(settleMilliseconds)
        recorder.take()
        answer = await recorded.api.call(request.method, request.path, request.body ?? undefined)
        taken.push(recorder.take())
      }
      const status = request.method === 'POST' ? 201 : 200
      routes.push({ ...request, status, answer, replay: findReplay(taken) })
    }
    return routes
  } finally {
    await recorded.stop()
    await recorder.close()
  }
}

async function measure(
  load: Part<RestLoadCommand>,
  { url, pid }: Target,
  command: Omit<RestLoadCommand, 'url'>,
): Promise<RestResult['slices'][number]> {
  const before = cpuMicroseconds([pid])
  const { answered, latencies } = await load.ask<RestLoadReport>({ ...command, url })
  const microseconds = cpuMicroseconds([pid]) - before
  return { perSecond: answered / command.seconds, cpuMicroseconds: microseconds / answered, latencies }
}
