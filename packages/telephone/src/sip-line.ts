import type { Codec, LegListener } from './leg.js'
import type { Line, LineListener } from './line.js'
import { type DialOptions, type LineOptions, lineDefaults } from './line-options.js'
import type { PacingClock } from './media/pacing-clock.js'
import type { NetworkAddress } from './network-address.js'
import { type Caller, makeCaller, writeNumber } from './sip/caller-id.js'
import { Credentials } from './sip/digest.js'
import { uriIn } from './sip/header-value.js'
import { cseqOf, headerOf, makeToken, type SipRequest, type SipResponse } from './sip/message.js'
import { Registration } from './sip/registration.js'
import { openStreamTransport } from './sip/stream-transport.js'
import { seenAddress } from './sip/transactions.js'
import type { Transport, TransportListener } from './sip/transport.js'
import { findLocalAddress, openUdpTransport } from './sip/udp-transport.js'
import { escapeUser, parseSipUri } from './sip/uri.js'
import { type Called, UserAgent } from './sip/user-agent.js'
import { SipLeg } from './sip-leg.js'
import type { Timers } from './time.js'

export interface SipLineParts {
  readonly timers: Timers
  readonly clock: PacingClock
  readonly listener: LineListener
}

const transactionsPerCall = 50
/** A NAT may forget an address after 30 seconds. */
const keepAliveMilliseconds = 25_000
const locateAgainMilliseconds = 60_000
/** The addresses that one call tries: each may take 32 seconds. */
const maxTargets = 3
/** How long the end of calls may take when the line closes. */
const closeMilliseconds = 2000

/** A line over SIP. Rejects if its server's address is unknown or its port is taken. */
export async function openSipLine(options: LineOptions, parts: SipLineParts): Promise<SipLine> {
  const line = { ...lineDefaults, ...options }
  const addresses = await parts.listener.locate()
  const [first] = addresses
  if (first === undefined) throw new Error(`The address of ${line.server.host} is unknown.`)
  const localAddress = line.bindAddress ?? (await findLocalAddress(first))
  const created = new SipLine(line, parts, addresses, localAddress)
  await created.open()
  return created
}

export class SipLine implements Line {
  readonly #options: LineOptions & typeof lineDefaults
  readonly #parts: SipLineParts
  readonly #localAddress: string
  readonly #legs = new Set<SipLeg>()
  readonly #credentials: Credentials
  #addresses: readonly NetworkAddress[]
  #locatedAt: number
  /** Index of the server address in use. Incremented if the server does not respond. */
  #addressIndex = 0
  #transport: Transport | null = null
  #agent: UserAgent | null = null
  #registration: Registration | null = null
  #seen: { readonly address: string; readonly port: number } | null = null
  #isDraining = false
  #closing: Promise<void> | null = null
  #cancelKeepAlive = () => {}

  constructor(
    options: LineOptions & typeof lineDefaults,
    parts: SipLineParts,
    addresses: readonly NetworkAddress[],
    localAddress: string,
  ) {
    this.#options = options
    this.#parts = parts
    this.#addresses = addresses
    this.#localAddress = localAddress
    this.#locatedAt = parts.timers.monotonic()
    const { loginName: username = options.username, password } = options
    this.#credentials = new Credentials({ username, password })
  }

  async open(): Promise<void> {
    const { timers } = this.#parts
    const transport = await this.#openTransport()
    this.#transport = transport
    this.#agent = new UserAgent({
      timers,
      transport,
      credentials: this.#credentials,
      settings: { ...this.#options, maxTransactions: this.#options.maxCalls * transactionsPerCall },
      contact: () => this.#contact,
      isTrusted: (source) => this.#isTrusted(source),
      responded: (response, source) => this.#noticeAddress(response, source),
      called: (invite) => this.#called(invite),
    })
    this.#keepAlive()
    if (this.#options.isRegistered) this.#register(this.#agent)
  }

  dial(options: DialOptions, listener: LegListener, id = makeToken()): SipLeg {
    const to = this.#addressOf(options.to)
    const caller = makeCaller(options.from, { ...this.#options, domain: this.domain })
    const leg = this.#makeLeg('out', caller.from, to, id)
    leg.listen(listener)
    void this.#startDialling(leg, caller)
    return leg
  }

  async drain(): Promise<void> {
    this.#isDraining = true
    await this.#registration?.close()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const agent = this.#agent
    const registered = this.drain()
    agent?.hangUpAll()
    for (const leg of [...this.#legs]) leg.end({ kind: 'closed' })
    await Promise.all([registered, this.#callsHaveEnded()])
    this.#cancelKeepAlive()
    agent?.stop()
    await this.#transport?.close()
  }

  get domain(): string {
    return this.#options.domain ?? this.#options.server.host
  }

  /** The address under which this line can be reached, as the server saw it. */
  get #contact(): string {
    const { transport } = this.#options.server
    const { address, port } = this.#seen ??
      this.#transport?.local ?? { address: this.#localAddress, port: 5060 }
    const parameter = transport === 'udp' ? '' : `;transport=${transport}`
    return `<sip:${escapeUser(this.#options.username)}@${address}:${port}${parameter}>`
  }

  #openTransport(): Promise<Transport> {
    const { server, port, tls } = this.#options
    const bindAddress = this.#options.bindAddress ?? '0.0.0.0'
    const listener: TransportListener = {
      received: (message, source) => this.#agent?.receive(message, source),
      disconnected: (target) => this.#disconnected(target),
    }
    if (server.transport === 'udp')
      return openUdpTransport({ bindAddress, port, listener }, this.#localAddress)
    const protocol = server.transport === 'tcp' ? 'TCP' : 'TLS'
    const isTrusted = (source: NetworkAddress) => this.#isTrusted(source)
    const { timers } = this.#parts
    const common = { bindAddress, port, serverName: server.host, tls, timers, listener, isTrusted }
    return openStreamTransport({ protocol, ...common }, this.#localAddress)
  }

  #register(agent: UserAgent): void {
    this.#registration = new Registration({
      timers: this.#parts.timers,
      transactions: agent.transactions,
      credentials: this.#credentials,
      address: `sip:${escapeUser(this.#options.username)}@${this.domain}`,
      registrarUri: `sip:${this.domain}`,
      expiresSeconds: this.#options.expiresSeconds,
      locate: () => this.#currentAddress(),
      contact: () => this.#contact,
      seenAt: (address) => this.#sawAt(address),
      changed: (state) => {
        if (state.kind === 'failed' && state.status === null) this.#addressIndex += 1
        this.#parts.listener.registration(state)
      },
    })
    this.#registration.start()
  }

  #sawAt(seen: { readonly address: string; readonly port: number }): boolean {
    const before = this.#contact
    this.#seen = seen
    return before !== this.#contact
  }

  /** Registers again if the server sees this line at another address than before: calls would not arrive. */
  #noticeAddress(response: SipResponse, { address, port }: NetworkAddress): void {
    // The registration reads its own responses.
    if (this.#transport?.isReliable || cseqOf(response).method === 'REGISTER') return
    const [server] = this.#candidates
    const [seen, before] = [seenAddress(response), this.#seen]
    if (seen === null || before === null || server?.address !== address || server.port !== port) return
    if (seen.address !== before.address || seen.port !== before.port) this.#registration?.moved()
  }

  #disconnected(target: NetworkAddress): void {
    this.#agent?.transactions.disconnected(target)
    const isServer = this.#addresses.some(
      ({ address, port }) => address === target.address && port === target.port,
    )
    if (isServer) this.#registration?.disconnected()
  }

  #isTrusted({ address }: Pick<NetworkAddress, 'address'>): boolean {
    return this.#addresses.some((own) => own.address === address)
  }

  async #currentAddress(): Promise<NetworkAddress | null> {
    await this.#locateAgain()
    return this.#candidates[0] ?? null
  }

  /** The addresses of the server for one call, that in use first. */
  get #candidates(): readonly NetworkAddress[] {
    const start = this.#addressIndex % this.#addresses.length
    return [...this.#addresses.slice(start), ...this.#addresses.slice(0, start)].slice(0, maxTargets)
  }

  /** Uses the next address if this one, which does not respond, is in use. */
  #leave(target: NetworkAddress): void {
    if (this.#candidates[0] === target) this.#addressIndex += 1
  }

  async #locateAgain(): Promise<void> {
    const now = this.#parts.timers.monotonic()
    if (now - this.#locatedAt > locateAgainMilliseconds) {
      this.#locatedAt = now
      const found = await this.#parts.listener.locate()
      if (found.length > 0) this.#addresses = found
    }
  }

  #keepAlive(): void {
    this.#cancelKeepAlive = this.#parts.timers.after(keepAliveMilliseconds, () => {
      const [server] = this.#candidates
      if (server && this.#registration?.state.kind === 'registered') this.#transport?.keepAlive(server)
      this.#keepAlive()
    })
  }

  #called(invite: SipRequest): Called | number {
    if (this.#isDraining) return 480
    const leg = this.#makeLeg('in', uriIn(headerOf(invite, 'from')), this.#calledAddress(invite), makeToken())
    const codec: Codec | null = invite.body === '' ? leg.codec : leg.media.codecFor(invite.body)
    if (codec === null) {
      this.#legs.delete(leg)
      return 488
    }
    leg.expect(codec)
    return {
      media: leg.media,
      listener: leg.callListener,
      started: (call) => {
        leg.attach(call, null)
        void leg.open().then((isOpen) => {
          if (leg.hasEnded) return
          // Without a port, the call cannot be accepted.
          if (isOpen) leg.attach(call, call)
          leg.listen(this.#parts.listener.called(leg))
          if (!isOpen) call.reject(503, { kind: 'no_audio_port' })
        })
      },
    }
  }

  /** A registrar replaces the dialled number by our Contact. The number is then in the To header. */
  #calledAddress(invite: SipRequest): string {
    const isContact = parseSipUri(invite.uri)?.user === this.#options.username
    return (isContact && uriIn(headerOf(invite, 'to'))) || invite.uri
  }

  /** Numbers belong to the line's server. */
  #addressOf(to: string): string {
    if (/^(?:sips?|tel):/i.test(to)) return to
    return `sip:${escapeUser(writeNumber(to, this.#options.numberFormat))}@${this.domain}`
  }

  async #startDialling(leg: SipLeg, caller: Caller): Promise<void> {
    const [isOpen] = await Promise.all([leg.open(), this.#locateAgain()])
    if (leg.hasEnded) return
    if (this.#closing) return leg.end({ kind: 'closed' })
    if (this.#legs.size > this.#options.maxCalls) return leg.end({ kind: 'overloaded' })
    if (!isOpen) return leg.end({ kind: 'no_audio_port' })
    const [target, ...others] = this.#candidates
    if (target === undefined || parseSipUri(leg.to) === null) return leg.end({ kind: 'unreachable' })
    const unanswered = (tried: NetworkAddress) => this.#leave(tried)
    const dialling = { ...caller, to: leg.to, targets: [target, ...others] as const, unanswered }
    const call = this.#agent?.dial(dialling, leg.media, leg.callListener)
    if (call) leg.attach(call, null)
  }

  #makeLeg(direction: 'in' | 'out', from: string, to: string, id: string): SipLeg {
    const { timers, clock } = this.#parts
    const leg = new SipLeg({
      id,
      direction,
      from,
      to,
      line: this.#options,
      bindAddress: this.#options.bindAddress ?? '0.0.0.0',
      publicAddress: this.#options.publicAddress ?? this.#localAddress,
      timers,
      clock,
      isServer: (address) => this.#isTrusted({ address }),
      addressOf: (number) => this.#addressOf(number),
      removed: (removed) => void this.#legs.delete(removed),
    })
    this.#legs.add(leg)
    return leg
  }

  /** Waits for the answers to our BYEs, but not long. */
  #callsHaveEnded(): Promise<void> {
    const { timers } = this.#parts
    const end = timers.monotonic() + closeMilliseconds
    return new Promise((resolve) => {
      const look = () => {
        if ((this.#agent?.callCount ?? 0) === 0 || timers.monotonic() >= end) resolve()
        else timers.after(20, look)
      }
      look()
    })
  }
}
