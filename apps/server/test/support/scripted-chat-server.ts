import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { closeAfterwards } from './close-afterwards.js'
import {
  anthropicEvents,
  openaiEvents,
  type ScriptedEvents,
  type ScriptedStep,
} from './scripted-chat-events.js'

/**
 * How a stream ends. `finished`: normally. `unfinished`: the response ends without its last events.
 * `cut-off`: the connection drops before the last events. `hanging`: the last events never arrive.
 */
export type StreamEnd = 'finished' | 'unfinished' | 'cut-off' | 'hanging'

interface StreamOptions {
  readonly end?: StreamEnd
  /** The delay before each event. */
  readonly delayMilliseconds?: number
  /** The model sends its first event when this promise resolves. */
  readonly until?: Promise<void>
}

export type ScriptedChatAnswer =
  /** One step of a model. The request path selects the format. */
  | (ScriptedStep & StreamOptions)
  /** Raw events, sent as given. */
  | ({ readonly raw: readonly string[] } & StreamOptions)
  /** A response that is not a stream. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  /** `silence`: no response is ever sent. `drop`: the connection closes without a response. */
  | 'silence'
  | 'drop'

export interface ChatRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The parsed body. Its shape is not checked. */
  readonly body: Readonly<Record<string, unknown>>
  /** Resolves when the response is complete or the caller has disconnected. */
  readonly closed: Promise<unknown>
}

/** A scripted provider of text models on a real port, in the formats of OpenAI and Anthropic. */
export interface ScriptedChatServer {
  /** The baseUrl for connections of every kind except Azure, whose base URL has no path. */
  readonly baseUrl: string
  readonly origin: string
  /** Every request so far, in order of arrival. */
  readonly requests: readonly ChatRequest[]
  /** Queues answers, one per request. */
  answer(...answers: readonly ScriptedChatAnswer[]): void
  /** The next request that this function has not returned yet. */
  nextRequest(): Promise<ChatRequest>
  /** Throws if an answer is left over or a request had no answer. Clears all queues and records. */
  verify(): void
  close(): Promise<void>
}

export async function startScriptedChatServer(): Promise<ScriptedChatServer> {
  const queue: ScriptedChatAnswer[] = []
  const requests: ChatRequest[] = []
  const unexpected: string[] = []
  const arrived: ChatRequest[] = []
  const waiting: ((request: ChatRequest) => void)[] = []

  const server = createServer(async (incoming, response) => {
    const request = await receive(incoming, response)
    requests.push(request)
    const answer = queue.shift()
    if (answer === undefined) unexpected.push(request.path)
    const next = waiting.shift()
    if (next) next(request)
    else arrived.push(request)
    await send(response, request.path, answer ?? { status: 418, body: 'The script has no answer left.' })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    answer: (...answers) => void queue.push(...answers),
    nextRequest() {
      const request = arrived.shift()
      return request ? Promise.resolve(request) : new Promise((resolve) => void waiting.push(resolve))
    },
    verify() {
      const mistakes = [
        ...queue.map((answer) => `no request arrived for the answer ${JSON.stringify(answer)}`),
        ...unexpected.map((path) => `unexpected request: ${path}`),
      ]
      for (const list of [queue, requests, unexpected, arrived]) list.length = 0
      if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
    },
    close: closeAfterwards(async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }),
  }
}

async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<ChatRequest> {
  const closed = once(response, 'close')
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk
  // The model list is requested with GET, which has no body.
  const body = JSON.parse(text === '' ? '{}' : text) as ChatRequest['body']
  return { path: incoming.url ?? '', headers: incoming.headers, body, closed }
}

async function send(response: ServerResponse, path: string, answer: ScriptedChatAnswer): Promise<void> {
  if (answer === 'silence') return
  if (answer === 'drop') return void response.destroy()
  if ('status' in answer) {
    const { status, headers = {}, body = '' } = answer
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  await stream(response, eventsOf(path, answer), answer)
}

function eventsOf(path: string, answer: ScriptedStep | { readonly raw: readonly string[] }): ScriptedEvents {
  if ('raw' in answer) return { said: answer.raw, finish: [] }
  return path.endsWith('/messages') ? anthropicEvents(answer) : openaiEvents(answer)
}

async function stream(
  response: ServerResponse,
  { said, finish }: ScriptedEvents,
  { end = 'finished', delayMilliseconds = 0, until }: StreamOptions,
): Promise<void> {
  for (const event of end === 'finished' ? [...said, ...finish] : said) {
    await until
    if (delayMilliseconds > 0) await wait(delayMilliseconds)
    if (typeof event !== 'string') await event
    // Waits until the event is written: events that are still buffered when the connection drops are lost.
    else await new Promise((sent) => response.write(event, sent))
  }
  if (end === 'cut-off') response.destroy()
  else if (end !== 'hanging') response.end()
}
