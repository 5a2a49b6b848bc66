import type { NetworkAddress } from '../network-address.js'
import { isPrivateAddress } from '../private-addresses.js'

/** Packets of one source from one address, one after the other, before the audio goes there. */
const neededPackets = 3

/**
 * The address of a peer whose audio is not encrypted.
 *
 *     open ──packet from the described address──► fixed
 *       └──3 packets in a row from a possible address──► fixed
 *
 * Possible are the described host, the server's addresses, and any address if the described one is private or unknown.
 * A fixed address only changes to the described one.
 */
export class PeerAddress {
  readonly #isServer: (address: string) => boolean
  #described: NetworkAddress | null = null
  #fixed: NetworkAddress | null = null
  #candidate: {
    readonly from: NetworkAddress
    readonly source: number
    readonly sequence: number
    readonly count: number
  } | null = null

  constructor(isServer: (address: string) => boolean) {
    this.#isServer = isServer
  }

  /** The address to which audio is sent. Null if it is not known yet. */
  get target(): NetworkAddress | null {
    return this.#fixed ?? this.#described
  }

  get isFixed(): boolean {
    return this.#fixed !== null
  }

  /** Notes the address of a new description. The same one changes nothing. */
  describe(described: NetworkAddress | null): void {
    if (isSame(described, this.#described)) return
    this.#described = described
    this.#fixed = null
    this.#candidate = null
  }

  /** Fixes the address from which a packet came whose encryption proves its sender. */
  fix(from: NetworkAddress): void {
    this.#fixed = from
  }

  /** Returns whether a packet without encryption is the peer's. */
  admits(from: NetworkAddress, source: number, sequence: number): boolean {
    if (isSame(from, this.#described)) this.#fixed = from
    else if (this.#fixed === null && this.#isPossible(from) && this.#hasProved(from, source, sequence))
      this.#fixed = from
    return isSame(from, this.#fixed)
  }

  #isPossible({ address }: NetworkAddress): boolean {
    const described = this.#described?.address
    if (described === undefined || isPrivateAddress(described)) return true
    return address === described || this.#isServer(address)
  }

  #hasProved(from: NetworkAddress, source: number, sequence: number): boolean {
    const last = this.#candidate
    const follows =
      last !== null &&
      isSame(from, last.from) &&
      source === last.source &&
      sequence === ((last.sequence + 1) & 0xffff)
    this.#candidate = { from, source, sequence, count: follows ? last.count + 1 : 1 }
    return this.#candidate.count >= neededPackets
  }
}

function isSame(one: NetworkAddress | null, other: NetworkAddress | null): boolean {
  return one?.address === other?.address && one?.port === other?.port
}
