import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makeProviderFrame } from '@parley/stage/load/frames'
import { serveCommands } from '@parley/stage/processes/part'
import { obey, type ProviderCommand } from './load-parts.js'
import { LoadSide } from './load-side.js'
import type { Certificate } from './tls/make-certificate.js'
import { acceptConnection } from './wire/handshake.js'
import { LoadSocket } from './wire/load-socket.js'

const side = new LoadSide({ makeFrame: makeProviderFrame, canBurst: true })

/**
 * Starts the provider. It greets each connection, accepts its configuration, and is in the middle of an
 * answer from then on.
 */
async function listen(certificate: Certificate | undefined): Promise<number> {
  const listener = certificate === undefined ? createServer() : createSecureServer(certificate)
  listener.on('upgrade', (request, connection, head) => {
    acceptConnection(request, connection)
    const onOther = (message: Buffer) => {
      if (message.includes('"session.update"')) socket.send({ type: 'session.updated', session: {} })
    }
    const socket = new LoadSocket({ connection, head }, false, side.listener(onOther))
    side.add(socket)
    socket.send({ type: 'session.created', session: {} })
    socket.send({
      type: 'response.created',
      response: { id: 'resp_CXvmTxgQ9Dc1mTgOhKkQz', status: 'in_progress' },
    })
  })
  listener.listen({ host: '127.0.0.1', port: 0, backlog: 1024 })
  await once(listener, 'listening')
  return (listener.address() as AddressInfo).port
}

serveCommands<ProviderCommand>(async (command) =>
  command.command === 'listen' ? listen(command.certificate) : obey(side, command),
)
