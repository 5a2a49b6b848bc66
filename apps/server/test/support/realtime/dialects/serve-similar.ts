import type { ProviderSession } from '../scripted-provider.js'
import { SimilarServer, type SimilarVendor } from './similar-server.js'
import { qwenOmni } from './similar-vendors.js'

/** Plays a provider that resembles OpenAI on a socket. */
export function serveSimilar({ socket, inbox, send }: ProviderSession, vendor: SimilarVendor): SimilarServer {
  const server = new SimilarServer({ send }, vendor)
  for (const { data } of inbox.all) server.receive(JSON.parse(data.toString()))
  socket.on('message', (data) => server.receive(JSON.parse(String(data))))
  socket.on('close', () => server.lose())
  return server
}

/** Plays Alibaba's Qwen-Omni on a socket. */
export const serveQwen = (session: ProviderSession) => serveSimilar(session, qwenOmni)
