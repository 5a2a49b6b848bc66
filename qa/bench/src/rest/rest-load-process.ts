import { Agent, request } from 'node:http'
import { serveCommands } from '@parley/stage/processes/part'
import { Latencies, type LatencyCounts } from '../relay/latencies.js'
import type { RestRequest } from './rest-request.js'

export interface RestLoadCommand {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly request: RestRequest
  readonly connections: number
  readonly seconds: number
}

export interface RestLoadReport {
  readonly answered: number
  readonly latencies: LatencyCounts
}

/** Concurrent clients. Each sends its next request after the last response. */
serveCommands<RestLoadCommand>(async (command): Promise<RestLoadReport> => {
  const agent = new Agent({ keepAlive: true, maxSockets: command.connections })
  const endsAt = performance.now() + command.seconds * 1000
  const latencies = new Latencies()
  let answered = 0
  const send = async () => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      await sendOne(agent, command)
      latencies.add((performance.now() - startedAt) * 1000)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: command.connections }, send))
  agent.destroy()
  return { answered, latencies: latencies.counts }
})

function sendOne(agent: Agent, { url, headers, request: { method, path, body } }: RestLoadCommand) {
  const text = body === null ? null : JSON.stringify(body)
  return new Promise<void>((resolve, reject) => {
    const sent = request(`${url}${path}`, {
      agent,
      method,
      headers: {
        ...headers,
        ...(text !== null && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      },
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      response.resume()
      response.once('end', () =>
        (response.statusCode ?? 0) < 300
          ? resolve()
          : reject(new Error(`${method} ${path}: ${response.statusCode}`)),
      )
    })
    sent.end(text ?? undefined)
  })
}
