/** The sender or receiver of a message. */
export interface Target {
  readonly address: string
  readonly port: number
  /** The connection that a message came by. Answers and later requests use it while it is open. */
  readonly connection?: number
}

export interface Transport {
  readonly protocol: 'UDP' | 'TCP' | 'TLS'
  /** Whether the transport repeats lost data, so that most transactions need not. */
  readonly isReliable: boolean
  /** The own address, as it appears in Via and Contact. */
  readonly local: { readonly address: string; readonly port: number }
  send(message: Buffer, target: Target): void
  /** Keeps the address translation of a router open: RFC 5626 section 3.5.1. */
  keepAlive(target: Target): void
  close(): Promise<void>
}

export interface TransportListener {
  received(message: Buffer, source: Target): void
  /** Called when a connection could not be opened, or was closed. */
  disconnected(target: Target): void
}

/** Times of RFC 3261 in milliseconds. */
export const t1 = 500
export const t2 = 4000
/** The end of every transaction: 64 × T1. */
export const transactionLifetime = 64 * t1
/** The end of an INVITE that got a provisional response and no other. Calls end earlier by their own limit. */
export const longestRinging = 600_000
