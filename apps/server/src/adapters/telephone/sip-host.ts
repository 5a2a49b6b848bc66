import type { NetworkAddress } from '@parley/telephone'
import type { Log } from '../../ports/log.js'
import type { Outbound } from '../../ports/outbound.js'
import type { PhoneConnectionRecord } from '../../ports/phone-stores.js'
import { type LocateDependencies, locateSipServer } from './locate-sip-server.js'

export interface SipHostDependencies extends LocateDependencies {
  readonly outbound: Outbound
  readonly log: Log
  /** Returns whether an address means the same host everywhere. */
  readonly isPublicAddress: (address: string) => boolean
}

type Located =
  | { readonly ok: true; readonly addresses: readonly NetworkAddress[]; readonly isPublic: boolean }
  | { readonly ok: false; readonly refusal: string }

/** The host of a SIP account. Its addresses are either all public or all private, also at later lookups. */
export class SipHost {
  readonly #dependencies: SipHostDependencies
  readonly #id: string
  readonly #sip: NonNullable<PhoneConnectionRecord['sip']>
  /** Whether the addresses are public, or null before the first lookup. */
  #isPublic: boolean | null = null
  #lastRefusal: string | null = null

  constructor(
    dependencies: SipHostDependencies,
    { id, sip }: { readonly id: string; readonly sip: NonNullable<PhoneConnectionRecord['sip']> },
  ) {
    this.#dependencies = dependencies
    this.#id = id
    this.#sip = sip
  }

  /** Returns the addresses of the host, or why it has none that may be used. */
  async locate(): Promise<Located> {
    const { outbound, isPublicAddress } = this.#dependencies
    const { host } = this.#sip
    try {
      const addresses = await locateSipServer(this.#dependencies, this.#sip)
      const [first] = addresses
      if (first === undefined) return { ok: false, refusal: `The host ${host} has no IPv4 address.` }
      const isPublic = this.#isPublic ?? isPublicAddress(first.address)
      // The line allows private addresses in messages of its peers, or it does not.
      if (addresses.some(({ address }) => isPublicAddress(address) !== isPublic)) {
        const refusal = `The host ${host} has public and private addresses. All must be of one kind.`
        return { ok: false, refusal }
      }
      this.#isPublic = isPublic
      return { ok: true, addresses, isPublic }
    } catch (error) {
      if (!outbound.isFailure(error)) throw error
      return { ok: false, refusal: error.detail }
    }
  }

  /**
   * Returns the addresses for a line that is open, or an empty list: the line keeps its addresses then. Never rejects, and logs
   * each new refusal.
   */
  async locateAgain(): Promise<readonly NetworkAddress[]> {
    const { log } = this.#dependencies
    const id = this.#id
    try {
      const located = await this.locate()
      const refusal = located.ok ? null : located.refusal
      if (refusal !== null && refusal !== this.#lastRefusal)
        log.warn({ id, detail: refusal }, 'a SIP host was not located again, so its line keeps the addresses')
      this.#lastRefusal = refusal
      return located.ok ? located.addresses : []
    } catch (error) {
      log.error({ err: error, id }, 'a SIP host could not be located')
      return []
    }
  }
}
