import { beforeEach, describe, expect, test } from 'vitest'
import type { NetworkAddress } from '#telephone/network-address.js'
import { type Header, headerOf, makeResponse, type SipRequest } from '#telephone/sip/message.js'
import { SessionTimer } from '#telephone/sip/session-timer.js'
import { writeMessage } from '#telephone/sip/write-message.js'
import { MemoryNetwork } from '../support/memory-network.js'
import { parsed } from '../support/messages.js'
import { TestPhone } from '../support/test-phone.js'
import { TestTimers } from '../support/test-timers.js'

let timers: TestTimers
let network: MemoryNetwork
let ann: TestPhone
let bob: TestPhone

beforeEach(() => {
  timers = new TestTimers()
  network = new MemoryNetwork(timers)
  ann = new TestPhone(network, timers, '192.0.2.1')
  bob = new TestPhone(network, timers, '192.0.2.2')
})

/** A call that has been answered, with both sides. */
function connect() {
  bob.onCall = ({ call }) => call.accept()
  const caller = ann.dial(bob)
  timers.advance(100)
  const [called] = bob.received
  if (called === undefined) throw new Error('The call did not arrive.')
  return { caller, called }
}

describe('session timers', () => {
  const settings = { sessionSeconds: 100, minimumSessionSeconds: 90 }

  beforeEach(() => {
    ann = new TestPhone(network, timers, '192.0.2.1', { settings })
    bob = new TestPhone(network, timers, '192.0.2.2', { settings })
  })

  test('are refreshed by the called side as long as the call lasts', () => {
    const { caller, called } = connect()
    timers.advance(1_000_000)
    expect([caller.notes.end, called.notes.end]).toEqual([null, null])
    // Every 50 s.
    expect(network.count(/^UPDATE /)).toBe(20)
  })

  test('end the call if the peer has vanished without a word', () => {
    const { caller } = connect()
    network.fate = (text) => (text.includes('sip:phone@192.0.2.1') ? [] : [1])
    timers.advance(99_000)
    expect(caller.notes.end).toEqual({ kind: 'session_expired' })
  })

  test('are refreshed after half a day if the peer wants 30 years', () => {
    const change = (bytes: Buffer, source: NetworkAddress) =>
      bob.agent.receive(
        Buffer.from(bytes.toString().replace(/Session-Expires: 100/, 'Session-Expires: 999999999')),
        source,
      )
    network.connect(bob.address, change)
    const { called } = connect()
    timers.advance(43_201_000)
    expect(called.notes.events).toEqual(['answered'])
    expect(network.count(/^UPDATE /)).toBe(1)
  })

  test('are refreshed once a second if the peer wants no interval', () => {
    let refreshes = 0
    const timer = new SessionTimer(timers, {
      expired: () => {},
      refresh: () => {
        refreshes += 1
        if (refreshes < 100) timer.start(0, true)
      },
    })
    timer.start(0, true)
    timers.advance(10_000)
    expect(refreshes).toBe(10)
  })

  test('end the refreshing side if nothing answers', () => {
    const { called } = connect()
    network.fate = () => []
    timers.advance(99_000)
    expect(called.notes.end).toEqual({ kind: 'session_expired' })
  })

  test('are refreshed by INVITE if the peer does not know UPDATE', () => {
    // The peer's Allow does not name it.
    const forget = (bytes: Buffer) =>
      bob.agent.receive(Buffer.from(bytes.toString().replace('UPDATE, ', '')), {
        address: ann.address,
        port: 5060,
      })
    network.connect(bob.address, forget)
    const { caller, called } = connect()
    timers.advance(500_000)
    expect([caller.notes.end, called.notes.end]).toEqual([null, null])
    expect(network.count(/^UPDATE /)).toBe(0)
    expect(network.count(/^INVITE /)).toBe(11)
  })

  test('are dialled again with a longer interval after 422', () => {
    const strict = new TestPhone(network, timers, '192.0.2.3', {
      settings: { sessionSeconds: 0, minimumSessionSeconds: 300 },
    })
    strict.onCall = ({ call }) => call.accept()
    const { notes } = ann.dial(strict)
    timers.advance(200)
    expect(notes.events).toEqual(['answered'])
    expect(network.sent.filter((text) => /^INVITE/.test(text)).at(-1)).toContain('Session-Expires: 300')
  })
})

describe('a server that asks for the password', () => {
  /** Answers each INVITE without a password with 407 after a second, and others with 180. */
  function startServer() {
    const seen: SipRequest[] = []
    const transport = network.connect('192.0.2.50', (bytes, source) => {
      const request = parsed(bytes)
      if (request.kind !== 'request') return
      seen.push(request)
      if (request.method !== 'INVITE') return
      const challenge: Header = ['proxy-authenticate', 'Digest realm="r", nonce="1", qop="auth"']
      const isAsked = headerOf(request, 'proxy-authorization') === ''
      const response = makeResponse(request, isAsked ? 407 : 180, {
        toTag: 't',
        headers: isAsked ? [challenge] : [],
      })
      timers.after(1000, () => transport.send(writeMessage(response), source))
    })
    return seen
  }

  test('gets the INVITE again with a new number, and the ACK without', () => {
    const seen = startServer()
    const { notes } = ann.dial({ address: '192.0.2.50' })
    timers.advance(3000)
    expect(notes.events).toEqual(['ringing'])
    const answered = seen.filter((request) => headerOf(request, 'proxy-authorization') !== '')
    expect(answered.map((request) => headerOf(request, 'cseq'))).toContain('2 INVITE')
    expect(seen.filter(({ method }) => method === 'ACK').map((ack) => headerOf(ack, 'cseq'))).toContain(
      '1 ACK',
    )
  })

  test('gets no second INVITE for a call that was hung up', () => {
    const seen = startServer()
    const { call } = ann.dial({ address: '192.0.2.50' })
    timers.advance(100)
    call.hangUp()
    timers.advance(100_000)
    expect(seen.every((request) => headerOf(request, 'proxy-authorization') === '')).toBe(true)
    expect(ann.agent.callCount).toBe(0)
  })
})
