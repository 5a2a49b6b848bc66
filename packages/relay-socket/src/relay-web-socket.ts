import { WebSocket } from 'ws'

const messageTooBig = 1009

/**
 * A socket of `ws` that reports a frame over the limit before the library closes with 1009, because the relay sends an
 * error first.
 */
export class RelayWebSocket extends WebSocket {
  onTooBig: (() => void) | null = null

  override close(code?: number, data?: string | Buffer): void {
    if (code === messageTooBig && data === undefined) this.onTooBig?.()
    super.close(code, data)
  }
}
