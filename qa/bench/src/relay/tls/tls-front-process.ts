import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'
import { serveCommands } from '@parley/stage/processes/part'
import type { Certificate } from './make-certificate.js'

export interface TlsFrontCommand {
  readonly certificate: Certificate
  /** Where what was decrypted goes. */
  readonly port: number
}

/*
 * Where clients' TLS ends, as it does at a proxy: the service has none of its own. The same stands before every target, and
 * counts for none.
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
