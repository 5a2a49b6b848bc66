import { isIP } from 'node:net'
import type { NetworkAddress } from '../network-address.js'
import { isPublicAddress } from '../private-addresses.js'
import { parseNameAddress, tagIn, uriIn } from './header-value.js'
import {
  cseqOf,
  type Header,
  headerOf,
  headersOf,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from './message.js'
import { parseSipUri } from './uri.js'

export interface DialogSettings {
  /** Whether requests go to no private address that the peer names. */
  readonly avoidsPrivateAddresses?: boolean
}

interface DialogParts {
  readonly callId: string
  /** The values of From and To of our own requests, with their tags. */
  readonly local: string
  readonly remote: string
  readonly remoteTarget: string
  readonly routes: readonly string[]
  readonly localSequence: number
  readonly remoteSequence: number | null
  /** The sender of the message that made the dialog. */
  readonly previousHop: NetworkAddress
  /** Whether all requests go to the previous hop: over TCP and TLS. */
  readonly staysAtPreviousHop: boolean
  readonly settings: DialogSettings
}

/** Two endpoints that share a Call-ID and two tags: RFC 3261 section 12. */
export class Dialog {
  readonly callId: string
  readonly local: string
  readonly remote: string
  readonly #routes: readonly string[]
  readonly #previousHop: NetworkAddress
  readonly #staysAtPreviousHop: boolean
  readonly #avoidsPrivateAddresses: boolean
  #remoteTarget: string
  #localSequence: number
  #remoteSequence: number | null

  private constructor(parts: DialogParts) {
    this.callId = parts.callId
    this.local = parts.local
    this.remote = parts.remote
    this.#remoteTarget = parts.remoteTarget
    this.#routes = parts.routes
    this.#localSequence = parts.localSequence
    this.#remoteSequence = parts.remoteSequence
    this.#previousHop = parts.previousHop
    this.#staysAtPreviousHop = parts.staysAtPreviousHop
    this.#avoidsPrivateAddresses = parts.settings.avoidsPrivateAddresses ?? false
  }

  /** The dialog of the called side. */
  static ofCalled(
    invite: SipRequest,
    localTag: string,
    { source, settings }: { readonly source: NetworkAddress; readonly settings: DialogParts['settings'] },
  ): Dialog {
    return new Dialog({
      callId: headerOf(invite, 'call-id'),
      local: `${headerOf(invite, 'to')};tag=${localTag}`,
      remote: headerOf(invite, 'from'),
      remoteTarget: uriIn(headerOf(invite, 'contact')) || uriIn(headerOf(invite, 'from')),
      routes: headersOf(invite, 'record-route'),
      localSequence: 0,
      remoteSequence: cseqOf(invite).number,
      previousHop: source,
      staysAtPreviousHop: source.connection !== undefined,
      settings,
    })
  }

  /** The dialog of the calling side, whose INVITE went to the target. */
  static ofCaller(
    invite: SipRequest,
    response: SipResponse,
    {
      target,
      staysAtPreviousHop,
      settings,
    }: { readonly target: NetworkAddress } & Pick<DialogParts, 'staysAtPreviousHop' | 'settings'>,
  ): Dialog {
    return new Dialog({
      callId: headerOf(invite, 'call-id'),
      local: headerOf(invite, 'from'),
      remote: headerOf(response, 'to'),
      remoteTarget: uriIn(headerOf(response, 'contact')) || invite.uri,
      routes: headersOf(response, 'record-route').reverse(),
      localSequence: cseqOf(invite).number,
      remoteSequence: null,
      previousHop: target,
      staysAtPreviousHop,
      settings,
    })
  }

  get localTag(): string {
    return tagIn(this.local)
  }

  get remoteTag(): string {
    return tagIn(this.remote)
  }

  makeRequest(method: string, headers: readonly Header[] = [], body = ''): SipRequest {
    this.#localSequence += 1
    return this.#build(method, this.#localSequence, headers, body)
  }

  /** The ACK of a 200 has the number of its INVITE. */
  makeAck(inviteSequence: number, headers: readonly Header[] = [], body = ''): SipRequest {
    return this.#build('ACK', inviteSequence, headers, body)
  }

  /** Returns whether a request of the other side is newer than all before. */
  accepts(request: SipRequest): boolean {
    const { number } = cseqOf(request)
    if (this.#remoteSequence !== null && number <= this.#remoteSequence) return false
    this.#remoteSequence = number
    return true
  }

  /** INVITE and UPDATE, and their responses, may move the other side's address. */
  updateTarget(message: SipMessage): void {
    const uri = uriIn(headerOf(message, 'contact'))
    if (uri !== '') this.#remoteTarget = uri
  }

  /**
   * The next hop. An IP address in the route or Contact is used directly, a host name is replaced by the previous hop. Over
   * TCP and TLS it is always the previous hop: a NAT admits no other connection, and a Contact could name any address.
   */
  get target(): NetworkAddress {
    if (this.#staysAtPreviousHop) return this.#previousHop
    const [route] = this.#routes
    const uri = parseSipUri(route === undefined ? this.#remoteTarget : (parseNameAddress(route)?.uri ?? ''))
    const address = uri?.host.replace(/^\[|\]$/g, '') ?? ''
    const usualPort = uri?.parameters.get('transport')?.toLowerCase() === 'tls' ? 5061 : 5060
    const isUsable = isIP(address) !== 0 && (!this.#avoidsPrivateAddresses || isPublicAddress(address))
    return isUsable ? { address, port: uri?.port ?? usualPort } : this.#previousHop
  }

  #build(method: string, sequence: number, headers: readonly Header[], body: string): SipRequest {
    const own: Header[] = [
      ['max-forwards', '70'],
      ...this.#routes.map((route): Header => ['route', route]),
      ['from', this.local],
      ['to', this.remote],
      ['call-id', this.callId],
      ['cseq', `${sequence} ${method}`],
    ]
    return { kind: 'request', method, uri: this.#remoteTarget, headers: [...own, ...headers], body }
  }
}
