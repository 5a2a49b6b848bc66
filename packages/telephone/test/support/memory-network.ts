import type { NetworkAddress } from '#telephone/network-address.js'
import type { Transport } from '#telephone/sip/transport.js'
import type { Timers } from '#telephone/time.js'

export type Receive = (message: Buffer, source: NetworkAddress) => void

/** Returns the delay of each copy of a packet in milliseconds. An empty list loses it. */
export type Fate = (text: string) => readonly number[]

/** A network without sockets. Its packets arrive on the test's clock. */
export class MemoryNetwork {
  readonly #timers: Timers
  readonly #receivers = new Map<string, Receive>()
  /** Every packet that was sent, lost or not. */
  readonly sent: string[] = []
  fate: Fate = () => [1]

  constructor(timers: Timers) {
    this.#timers = timers
  }

  connect(address: string, receive: Receive, protocol: 'UDP' | 'TCP' = 'UDP'): Transport {
    const port = 5060
    this.#receivers.set(address, receive)
    return {
      protocol,
      isReliable: protocol !== 'UDP',
      local: { address, port },
      send: (message, target) => {
        const text = message.toString()
        this.sent.push(text)
        for (const delay of this.fate(text))
          this.#timers.after(delay, () => this.#receivers.get(target.address)?.(message, { address, port }))
      },
      keepAlive: () => {},
      close: async () => {},
    }
  }

  /** The first lines of all sent packets. */
  get firstLines(): string[] {
    return this.sent.map((text) => text.split('\r\n', 1)[0] ?? '')
  }

  count(pattern: RegExp): number {
    return this.firstLines.filter((line) => pattern.test(line)).length
  }
}
