import { isIP } from 'node:net'
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
import type { Target } from './transport.js'
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
  /** The neighbour from which the message came that made the dialog. */
  readonly neighbour: Target
  /** Whether all requests go to the neighbour: over TCP and TLS. */
  readonly staysAtNeighbour: boolean
  readonly settings: DialogSettings
}

/** Two endpoints that share a Call-ID and two tags: RFC 3261 section 12. */
export class Dialog {
  readonly callId: string
  readonly local: string
  readonly remote: string
  readonly #routes: readonly string[]
  readonly #neighbour: Target
  readonly #staysAtNeighbour: boolean
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
    this.#neighbour = parts.neighbour
    this.#staysAtNeighbour = parts.staysAtNeighbour
    this.#avoidsPrivateAddresses = parts.settings.avoidsPrivateAddresses ?? false
  }

  /** The dialog of the called side. */
  static ofCalled(
    invite: SipRequest,
    localTag: string,
    { source, settings }: { readonly source: Target; readonly settings: DialogParts['settings'] },
  ): Dialog {
    return new Dialog({
      callId: headerOf(invite, 'call-id'),
      local: `${headerOf(invite, 'to')};tag=${localTag}`,
      remote: headerOf(invite, 'from'),
      remoteTarget: uriIn(headerOf(invite, 'contact')) || uriIn(headerOf(invite, 'from')),
      routes: headersOf(invite, 'record-route'),
      localSequence: 0,
      remoteSequence: cseqOf(invite).number,
      neighbour: source,
      staysAtNeighbour: source.connection !== undefined,
      settings,
    })
  }

  /** The dialog of the calling side, whose INVITE went to the target. */
  static ofCaller(
    invite: SipRequest,
    response: SipResponse,
    {
      target,
      staysAtNeighbour,
      settings,
    }: { readonly target: Target } & Pick<DialogParts, 'staysAtNeighbour' | 'settings'>,
  ): Dialog {
    return new Dialog({
      callId: headerOf(invite, 'call-id'),
      local: headerOf(invite, 'from'),
      remote: headerOf(response, 'to'),
      remoteTarget: uriIn(headerOf(response, 'contact')) || invite.uri,
      routes: headersOf(response, 'record-route').reverse(),
      localSequence: cseqOf(invite).number,
      remoteSequence: null,
      neighbour: target,
      staysAtNeighbour,
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
   * The next hop. An address is used as it is. A host name is that of the neighbour, whose address is known: the dialog
   * came from there. Over TCP and TLS, the connection to the neighbour is the only way: a NAT lets no other one through, and
   * the peer's Contact could make this side connect to any address. A public server's peer could do the same with a private
   * address.
   */
  get target(): Target {
    if (this.#staysAtNeighbour) return this.#neighbour
    const [route] = this.#routes
    const uri = parseSipUri(route === undefined ? this.#remoteTarget : (parseNameAddress(route)?.uri ?? ''))
    const address = uri?.host.replace(/^\[|\]$/g, '') ?? ''
    const usualPort = uri?.parameters.get('transport')?.toLowerCase() === 'tls' ? 5061 : 5060
    const isUsable = isIP(address) !== 0 && (!this.#avoidsPrivateAddresses || isPublicAddress(address))
    return isUsable ? { address, port: uri?.port ?? usualPort } : this.#neighbour
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
