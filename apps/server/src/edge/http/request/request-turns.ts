import type { Server } from 'node:http'
import { CallerTurns, presentedCaller } from './caller-turns.js'

const requestsInPass = 16

/**
 * Lets requests that come all at once begin a few in each pass of the event loop, callers in turn. Node hands over
 * whatever was read in one go, which can be two thousand requests of one connection, or one of each of four hundred, and
 * nobody else is served meanwhile.
 */
export function takeTurns(server: Server): void {
  const turns = new CallerTurns(requestsInPass)
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    turns.run(presentedCaller(request), () => {
      // Whoever has left meanwhile wants nothing any more.
      if (request.socket.destroyed) return
      for (const listener of listeners) Reflect.apply(listener, server, [request, response])
    })
  })
}
