import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'
import { serveCommands } from '@parley/stage/processes/part'
import type { Certificate } from './make-certificate.js'

export interface TlsFrontCommand {
  readonly certificate: Certificate
  /** The port that gets the decrypted traffic. */
  readonly port: number
}

/*
 * Ends the clients' TLS, as a proxy does, because the service itself does not. The same front serves every
 * target, and its processor time is not counted.
 */
serveCommands<TlsFrontCommand>(async ({ certificate, port }) => {
  const server = createServer(certificate, (client) => {
    const target = connect({ host: '127.0.0.1', port, noDelay: true })
    client.setNoDelay(true)
    client.pipe(target).pipe(client)
    client.on('error', () => target.destroy())
    target.on('error', () => client.destroy())
  })
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1024 })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
})
