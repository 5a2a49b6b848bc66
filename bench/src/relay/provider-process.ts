import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { serveCommands } from '../processes/part.js'
import { clientFrame, providerFrame } from './frames.js'
import { obey, type ProviderCommand } from './load-parts.js'
import { LoadSide } from './load-side.js'

const side = new LoadSide(providerFrame, clientFrame)

/** Greets each connection, takes its configuration, and is in the middle of an answer from then on. */
async function listen(): Promise<number> {
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    backlog: 1024,
    perMessageDeflate: false,
    skipUTF8Validation: true,
  })
  server.on('connection', (socket) => {
    const send = (event: object) => socket.send(JSON.stringify(event))
    side.add(socket, (frame) => {
      if (frame.includes('"session.update"')) send({ type: 'session.updated', session: {} })
    })
    send({ type: 'session.created', session: {} })
    send({ type: 'response.created', response: { id: 'resp_CXvmTxgQ9Dc1mTgOhKkQz', status: 'in_progress' } })
  })
  await new Promise((resolve) => void server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

serveCommands<ProviderCommand>(async (command) =>
  command.command === 'listen' ? listen() : obey(side, command),
)
