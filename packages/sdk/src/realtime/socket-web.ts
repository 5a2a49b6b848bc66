/** The part of WebSocket that the client uses. */
export interface ClientSocket {
  readonly bufferedAmount: number
  send(frame: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void
}

export type SocketClass = new (address: string) => ClientSocket

/** Browsers, Deno, Bun and edge runtimes provide it. */
export async function loadSocketClass(): Promise<SocketClass> {
  return WebSocket
}
