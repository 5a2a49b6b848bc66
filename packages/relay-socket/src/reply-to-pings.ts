import type { WebSocket } from 'ws'

/** Control frames that a peer may send in a second. Clients ping every few seconds; a flood is millions. */
const maxControlFrames = 1000
const windowMilliseconds = 1000

/**
 * Sends the pongs of a socket with `autoPong: false`. The library would keep one pong for each ping of a peer that does
 * not read. Here one pong at a time is queued, and of the pings that arrive in the meantime only the last is answered, as
 * RFC 6455 (5.5.3) allows. A peer that floods is cut off, because reading its frames takes time too.
 */
export function replyToPings(socket: WebSocket): void {
  let isSending = false
  let next: Buffer | null = null
  let windowStart = 0
  let framesInWindow = 0

  function isWithinRate(): boolean {
    const now = performance.now()
    if (now - windowStart >= windowMilliseconds) {
      windowStart = now
      framesInWindow = 0
    }
    framesInWindow += 1
    if (framesInWindow > maxControlFrames) socket.terminate()
    return framesInWindow <= maxControlFrames
  }

  function reply(data: Buffer): void {
    if (socket.readyState !== socket.OPEN) return
    if (isSending) {
      // The data is copied, because it may be a view of everything that was read with it.
      next = Buffer.from(data)
      return
    }
    isSending = true
    socket.pong(data, undefined, onSent)
  }

  function onSent(): void {
    isSending = false
    const data = next
    next = null
    if (data !== null) reply(data)
  }

  socket.on('ping', (data: Buffer) => {
    if (isWithinRate()) reply(data)
  })
  socket.on('pong', isWithinRate)
}
