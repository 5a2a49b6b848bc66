/** Types for the part of faye-websocket that the tests use. The library has none. */
declare module 'faye-websocket' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage } from 'node:http'
  import type { Duplex } from 'node:stream'

  class FayeSocket extends EventEmitter {
    static isWebSocket(request: IncomingMessage): boolean
    constructor(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      protocols?: string[],
      options?: { maxLength?: number },
    )
    send(data: string | Buffer): boolean
    ping(data: string, onPong?: () => void): boolean
    close(code?: number, reason?: string): void
  }
  namespace FayeSocket {
    class Client extends FayeSocket {
      constructor(url: string, protocols?: string[], options?: { maxLength?: number })
    }
  }
  export default FayeSocket
}
