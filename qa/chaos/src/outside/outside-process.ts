import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkRequest } from '@parley/stage/models/working-model'
import { serveCommands } from '@parley/stage/processes/part'
import { WebSocketServer } from 'ws'
import type { GarbageKind } from '../plan/fault.js'
import type { ExternalRecords } from '../records/external-records.js'
import { serveChat } from './chat-model.js'
import { Receivers } from './receivers.js'
import { ToolEndpoint } from './tool-endpoint.js'
import { VoiceConnection } from './voice-connection.js'

/** Commands for the outside process. `share` is a share of its connections. */
export type OutsideCommand =
  | { readonly command: 'listen' }
  | { readonly command: 'cut'; readonly share: number }
  | { readonly command: 'delay'; readonly share: number; readonly seconds: number }
  | { readonly command: 'garble'; readonly share: number; readonly garbage: GarbageKind }
  | { readonly command: 'books' }

const http = createServer((request, response) => {
  response.on('error', () => undefined)
  void serve(request, response).catch(() => response.destroy())
})
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const connections: VoiceConnection[] = []
const answering = new Set<ServerResponse>()
const tools = new ToolEndpoint()
const receivers = new Receivers()
let modelSteps = 0
let heldUntil = 0

http.on('upgrade', (request, socket, head) => {
  socket.on('error', () => undefined)
  sockets.handleUpgrade(request, socket, head, (webSocket) =>
    connections.push(new VoiceConnection(webSocket, socket)),
  )
})

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  if (request.url === '/tool') return tools.serve(body, response)
  if (request.url === '/hook') return receivers.serve(request, body, response)
  modelSteps += 1
  answering.add(response)
  response.once('close', () => answering.delete(response))
  await sleep(Math.max(0, heldUntil - Date.now()))
  await serveChat(response, JSON.parse(body) as WorkRequest)
}

const chosen = <Item>(items: Iterable<Item>, share: number) => [...items].filter(() => Math.random() < share)
const open = () => connections.filter(({ isOpen }) => isOpen)

serveCommands<OutsideCommand>(async (command): Promise<number | ExternalRecords | undefined> => {
  switch (command.command) {
    case 'listen':
      await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
      return (http.address() as AddressInfo).port
    case 'cut':
      for (const connection of chosen(open(), command.share)) connection.cut()
      for (const response of chosen(answering, command.share)) response.destroy()
      return
    case 'delay':
      for (const connection of chosen(open(), command.share)) connection.hold(command.seconds * 1000)
      heldUntil = Date.now() + command.seconds * 1000
      return
    case 'garble':
      for (const connection of chosen(open(), command.share)) connection.garble(command.garbage)
      for (const response of chosen(answering, command.share))
        if (response.headersSent) response.write('data: {"id":"chat","choices":[{"del\n\ndata: 17\n\n')
      return
    case 'books':
      return {
        connections: connections.map((connection) => connection.entry()),
        effects: tools.effects,
        delivered: receivers.delivered,
        rejectedDeliveries: receivers.rejectedCount,
        modelSteps,
      }
  }
})
