import type { EndReason } from '#telephone/leg.js'
import { answerDirection, type Direction } from '#telephone/media/sdp.js'
import type { NetworkAddress } from '#telephone/network-address.js'
import type { CallListener, CallMedia } from '#telephone/sip/call-context.js'
import { Credentials } from '#telephone/sip/digest.js'
import type { IncomingCall } from '#telephone/sip/incoming-call.js'
import type { OutgoingCall } from '#telephone/sip/outgoing-call.js'
import type { Transport } from '#telephone/sip/transport.js'
import { UserAgent, type UserAgentOptions } from '#telephone/sip/user-agent.js'
import type { MemoryNetwork } from './memory-network.js'
import type { TestTimers } from './test-timers.js'

const description = (direction: string) =>
  `v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\na=${direction}\r\n`

/** Media without audio. */
export class QuietMedia implements CallMedia {
  #isHeld = false
  #peer: Direction = 'sendrecv'
  /** Whether offers are refused. */
  isPicky = false

  get isHeldByPeer(): boolean {
    return this.#peer === 'sendonly' || this.#peer === 'inactive'
  }

  makeOffer(): string {
    return description(this.#isHeld ? 'sendonly' : 'sendrecv')
  }

  answerOffer(offer: string): string | null {
    if (this.isPicky) return null
    this.#peer = directionOf(offer)
    return description(answerDirection(this.#peer, this.#isHeld))
  }

  acceptAnswer(answer: string): boolean {
    this.#peer = directionOf(answer)
    return answer.includes('m=audio')
  }

  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
  }
}

function directionOf(text: string): Direction {
  return (/a=(\w+)/.exec(text)?.[1] ?? 'sendrecv') as Direction
}

/** Writes down what happens to a call. */
export class CallNotes implements CallListener {
  readonly events: string[] = []
  end: EndReason | null = null

  ringing(): void {
    this.events.push('ringing')
  }

  answered(): void {
    this.events.push('answered')
  }

  held(isHeld: boolean): void {
    this.events.push(isHeld ? 'held' : 'resumed')
  }

  digit(digit: string): void {
    this.events.push(`digit ${digit}`)
  }

  ended(reason: EndReason): void {
    this.events.push('ended')
    this.end = reason
  }
}

export interface ReceivedCall {
  readonly call: IncomingCall
  readonly notes: CallNotes
  readonly media: QuietMedia
}

/** A user agent on the memory network. */
export class TestPhone {
  readonly address: string
  readonly agent: UserAgent
  readonly transport: Transport
  readonly received: ReceivedCall[] = []
  /** Called for each call from outside. */
  onCall: (received: ReceivedCall) => void = () => {}

  constructor(
    network: MemoryNetwork,
    timers: TestTimers,
    address: string,
    options: {
      readonly settings?: Partial<UserAgentOptions['settings']>
      readonly isTrusted?: (source: NetworkAddress) => boolean
      readonly protocol?: 'UDP' | 'TCP'
    } = {},
  ) {
    this.address = address
    const receive = (message: Buffer, source: NetworkAddress) => this.agent.receive(message, source)
    this.transport = network.connect(address, receive, options.protocol)
    this.agent = new UserAgent({
      timers,
      transport: this.transport,
      credentials: new Credentials({ username: 'ann', password: 'secret' }),
      settings: {
        sessionSeconds: 0,
        minimumSessionSeconds: 90,
        ringSeconds: 60,
        transferSeconds: 30,
        maxCalls: 3,
        maxTransactions: 200,
        ...options.settings,
      },
      contact: () => `<sip:phone@${address}:5060>`,
      isTrusted: options.isTrusted ?? (() => true),
      called: () => {
        const notes = new CallNotes()
        const media = new QuietMedia()
        const started = (call: IncomingCall) => {
          this.received.push({ call, notes, media })
          this.onCall({ call, notes, media })
        }
        return { media, listener: notes, started }
      },
    })
  }

  /** Calls another phone. The INVITE goes to these addresses, one after another, by default to that of the phone. */
  dial(
    other: { readonly address: string },
    addresses: readonly [string, ...string[]] = [other.address],
  ): { call: OutgoingCall; notes: CallNotes; media: QuietMedia } {
    const notes = new CallNotes()
    const media = new QuietMedia()
    const call = this.agent.dial(
      {
        to: `sip:bob@${other.address}`,
        from: `sip:ann@${this.address}`,
        targets: [targetOf(addresses[0]), ...addresses.slice(1).map(targetOf)],
      },
      media,
      notes,
    )
    return { call, notes, media }
  }
}

const targetOf = (address: string): NetworkAddress => ({ address, port: 5060 })
