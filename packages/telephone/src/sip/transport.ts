import type { NetworkAddress } from '../network-address.js'
export interface Transport {
  readonly protocol: 'UDP' | 'TCP' | 'TLS'
  /** Whether the transport repeats lost data, so that most transactions need not. */
  readonly isReliable: boolean
  /** The local address, as it appears in Via and Contact. */
  readonly local: { readonly address: string; readonly port: number }
  send(message: Buffer, target: NetworkAddress): void
  /** Keeps the address translation of a router open: RFC 5626 section 3.5.1. */
  keepAlive(target: NetworkAddress): void
  close(): Promise<void>
}

export interface TransportListener {
  received(message: Buffer, source: NetworkAddress): void
  /** Called when a connection could not be opened, or was closed. */
  disconnected(target: NetworkAddress): void
}

/** Times of RFC 3261 in milliseconds. */
export const t1 = 500
export const t2 = 4000
/** The end of every transaction: 64 × T1. */
export const transactionLifetime = 64 * t1
/** The end of an INVITE that got a provisional response and no other. Calls end earlier by their own limit. */
export const longestRinging = 600_000
