import { beforeEach, describe, expect, test } from 'vitest'
import type { NetworkAddress } from '#telephone/network-address.js'
import { type Header, headerOf, makeResponse, type SipRequest } from '#telephone/sip/message.js'
import { writeMessage } from '#telephone/sip/write-message.js'
import { MemoryNetwork } from '../support/memory-network.js'
import { parsed } from '../support/messages.js'
import { TestPhone } from '../support/test-phone.js'
import { TestTimers } from '../support/test-timers.js'

let timers: TestTimers
let network: MemoryNetwork

beforeEach(() => {
  timers = new TestTimers()
  network = new MemoryNetwork(timers)
})

describe('a peer that floods its call with requests', () => {
  const unheard = { responded: () => {}, failed: () => {} }

  /** Two calls to Bob. Carol has sent 500 requests in hers. */
  function startFlood() {
    const settings = { maxTransactions: 1000 }
    const [ann, bob] = [1, 2].map((number) => new TestPhone(network, timers, `192.0.2.${number}`)) as [
      TestPhone,
      TestPhone,
    ]
    const carol = new TestPhone(network, timers, '192.0.2.3', { settings })
    bob.onCall = ({ call }) => call.accept()
    const [quiet, loud] = [ann.dial(bob), carol.dial(bob)]
    timers.advance(100)
    for (let index = 0; index < 500; index += 1) loud.call.request('INFO', [], '', unheard)
    timers.advance(100)
    const [ofAnn, ofCarol] = bob.received
    return { quiet, loud, bob, ofAnn, ofCarol }
  }

  test('does not prevent the end of other calls', () => {
    const { quiet, ofAnn } = startFlood()
    ofAnn?.call.hangUp()
    timers.advance(100)
    expect(quiet.notes.end).toEqual({ kind: 'hung_up_by_peer' })
  })

  test('does not prevent other calls', () => {
    const { bob } = startFlood()
    const dave = new TestPhone(network, timers, '192.0.2.4').dial(bob)
    timers.advance(100)
    expect(dave.notes.events).toEqual(['answered'])
  })

  test('can still hang up', () => {
    const { loud, ofCarol } = startFlood()
    loud.call.hangUp()
    timers.advance(100)
    expect(ofCarol?.notes.end).toEqual({ kind: 'hung_up_by_peer' })
  })
})

describe('a peer whose Contact names another address', () => {
  const server = '192.0.2.50'
  const elsewhere = '203.0.113.66'

  /** Calls a server that asks for the password and then answers. Returns the ACKs for its 200, by their recipient. */
  function callServer(protocol: 'UDP' | 'TCP', contact: string, avoidsPrivateAddresses = false) {
    const seen: { at: string; request: SipRequest }[] = []
    const note = (at: string) => (bytes: Buffer) => {
      const request = parsed(bytes)
      if (request.kind === 'request') seen.push({ at, request })
    }
    network.connect(elsewhere, note(elsewhere), protocol)
    const transport = network.connect(
      server,
      (bytes: Buffer, source: NetworkAddress) => {
        note(server)(bytes)
        const request = parsed(bytes)
        if (request.kind !== 'request' || request.method !== 'INVITE') return
        const challenge: Header = ['proxy-authenticate', 'Digest realm="r", nonce="1", qop="auth"']
        const isAsked = headerOf(request, 'proxy-authorization') === ''
        const response = makeResponse(request, isAsked ? 407 : 200, {
          toTag: 't',
          headers: isAsked ? [challenge] : [['contact', `<sip:x@${contact}>`]],
          body: isAsked ? '' : 'm=audio',
        })
        transport.send(writeMessage(response), source)
      },
      protocol,
    )
    const settings = { avoidsPrivateAddresses }
    const ann = new TestPhone(network, timers, '192.0.2.1', { protocol, settings })
    const { notes } = ann.dial({ address: server })
    timers.advance(100)
    expect(notes.events).toEqual(['answered'])
    return seen
      .filter(({ request }) => headerOf(request, 'cseq') === '2 ACK')
      .map(({ at, request }) => [at, headerOf(request, 'proxy-authorization') !== ''])
  }

  test.each(['10.0.0.5', '127.0.0.1', '0.0.0.0', '[::1]'])(
    'gets the ACK at the public server if it names %s',
    (contact) => {
      expect(callServer('UDP', contact, true)).toEqual([[server, true]])
    },
  )

  test('gets the ACK there without our password', () => {
    expect(callServer('UDP', elsewhere)).toEqual([[elsewhere, false]])
  })

  test('gets it by the connection to the server over TCP', () => {
    expect(callServer('TCP', elsewhere)).toEqual([[server, true]])
  })

  test('gets it with the password if it is the server itself', () => {
    expect(callServer('UDP', `${server}:5060`)).toEqual([[server, true]])
  })
})
