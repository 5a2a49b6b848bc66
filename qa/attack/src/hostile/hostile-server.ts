import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ChatRequest, sayShortly } from '@parley/stage/models/chat-stream'
import { type WebSocket, WebSocketServer } from 'ws'

type Respond = (response: ServerResponse, request: IncomingMessage, body: string) => void
type Chat = (response: ServerResponse, request: ChatRequest) => void
type Converse = (socket: WebSocket) => void

/** The endpoints that a customer may configure: a tool, an MCP server, a text model and a realtime provider. */
export class HostileServer {
  readonly #http: Server
  readonly #routes = new Map<string, Respond>()
  readonly #chats = new Map<string, Chat>()
  readonly #conversations = new Map<string, Converse>()

  private constructor(http: Server) {
    this.#http = http
  }

  static async start(): Promise<HostileServer> {
    const http = createServer()
    const server = new HostileServer(http)
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
    http.on('request', (request, response) => void server.#serve(request, response))
    http.on('upgrade', (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (webSocket) => server.#converse(request, webSocket))
    })
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    return server
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  /** The handlers by path, without the query. */
  onRequest(path: string, respond: Respond): void {
    this.#routes.set(path, respond)
  }

  /** The handlers of text models by model name. */
  onQuestion(model: string, chat: Chat): void {
    this.#chats.set(model, chat)
  }

  /** The handlers of realtime models by model name, called after the session was created. */
  onSession(model: string, converse: Converse): void {
    this.#conversations.set(model, converse)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined)
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { pathname } = new URL(request.url ?? '', this.origin)
    if (pathname === '/v1/chat/completions') {
      const question = JSON.parse(body) as ChatRequest
      const chat = this.#chats.get(question.model) ?? sayShortly
      chat(response, question)
      return
    }
    const respond = this.#routes.get(pathname)
    if (respond === undefined) response.writeHead(404).end()
    else respond(response, request, body)
  }

  #converse(request: IncomingMessage, socket: WebSocket): void {
    const model = new URL(request.url ?? '', this.origin).searchParams.get('model') ?? ''
    socket.on('error', () => undefined)
    socket.send(JSON.stringify({ type: 'session.created', session: {} }))
    this.#conversations.get(model)?.(socket)
  }
}
