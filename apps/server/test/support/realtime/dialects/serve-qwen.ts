import type { ProviderSession } from '../scripted-provider.js'
import { SimilarServer } from './similar-server.js'
import { qwenOmni } from './similar-vendors.js'

/** Plays Alibaba's Qwen-Omni on a socket. */
export function serveQwen({ socket, inbox, send }: ProviderSession): SimilarServer {
  const server = new SimilarServer({ send }, qwenOmni)
  for (const { data } of inbox.all) server.receive(JSON.parse(data.toString()))
  socket.on('message', (data) => server.receive(JSON.parse(String(data))))
  socket.on('close', () => server.lose())
  return server
}
