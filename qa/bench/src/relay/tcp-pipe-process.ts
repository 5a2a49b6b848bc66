import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { serveCommands } from '@parley/stage/processes/part'

export interface TcpPipeCommand {
  readonly command: 'listen'
}

/*
 * Two sockets of Node joined by `pipe`, which do not read the data. Nothing on Node's streams can cost much
 * less.
 */
const [providerPort = ''] = process.argv.slice(2)

const server = createServer({ noDelay: true }, (client) => {
  const provider = connect({ host: '127.0.0.1', port: Number(providerPort), noDelay: true })
  for (const [socket, other] of [
    [client, provider],
    [provider, client],
  ] as const) {
    socket.on('error', () => other.destroy())
    socket.pipe(other)
  }
}).listen({ host: '127.0.0.1', port: 0, backlog: 1024 })

const listening = once(server, 'listening')
serveCommands<TcpPipeCommand>(async () => {
  await listening
  return (server.address() as AddressInfo).port
})
