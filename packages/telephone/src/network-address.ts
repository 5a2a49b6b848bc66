/** The sender or receiver of a message or packet. */
export interface NetworkAddress {
  /** IPv4. */
  readonly address: string
  readonly port: number
  /** The connection that a message came by. Responses and later requests use it while it is open. */
  readonly connection?: number
}
