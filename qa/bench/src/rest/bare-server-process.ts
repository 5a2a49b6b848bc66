import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveCommands } from '@parley/stage/processes/part'
import fastify from 'fastify'
import pg from 'pg'
import { freshStatements } from './replayed-request.js'
import type { BareRoute } from './rest-request.js'

export type BareKind = 'fastify' | 'http'

export interface BareCommand {
  readonly kind: BareKind
  readonly databaseUrl: string
  readonly routes: readonly BareRoute[]
}

/*
 * The minimal server for the same requests: it reads the body, runs the service's statements and sends the service's
 * response. It has no keys, scopes, limits, schemas, log or audit, except for their statements.
 */
serveCommands<BareCommand>(async ({ kind, databaseUrl, routes }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const answer = async (route: BareRoute) => {
    const client = await pool.connect()
    try {
      for (const { text, values } of freshStatements(route.replay)) await client.query(text, [...values])
    } finally {
      client.release()
    }
    if (route.modelUrl !== null) await ask(route.modelUrl)
    return route.answer
  }
  return kind === 'fastify' ? listenWithFastify(routes, answer) : listenWithHttp(routes, answer)
})

async function ask(modelUrl: string): Promise<void> {
  const messages = [{ role: 'user', content: 'Is it so?' }]
  const body = JSON.stringify({ model: 'brief', stream: true, messages })
  await (
    await fetch(modelUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  ).text()
}

type Answer = (route: BareRoute) => Promise<unknown>

async function listenWithFastify(routes: readonly BareRoute[], answer: Answer): Promise<number> {
  const app = fastify()
  for (const route of routes)
    app.route({
      method: route.method,
      url: new URL(route.path, 'http://x').pathname,
      handler: async (_, reply) => reply.code(route.status).send(await answer(route)),
    })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

async function listenWithHttp(routes: readonly BareRoute[], answer: Answer): Promise<number> {
  const byLine = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
  const server = createServer(async (request, response) => {
    const route = byLine.get(`${request.method} ${request.url}`)
    if (route === undefined) {
      response.writeHead(404).end()
      return
    }
    if (route.body !== null) JSON.parse(await readBody(request))
    const text = JSON.stringify(await answer(route))
    response.writeHead(route.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => void server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
