import { beforeEach, describe, expect, test } from 'vitest'
import { MemoryNetwork } from '../support/memory-network.js'
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

const loses = (pattern: RegExp) => (text: string) => (pattern.test(text.split('\r\n', 1)[0] ?? '') ? [] : [1])

describe('a call', () => {
  test('rings, is answered and ends by the caller', () => {
    bob.onCall = ({ call }) => call.ring()
    const caller = ann.dial(bob)
    timers.advance(50)
    const [called] = bob.received
    called?.call.accept()
    timers.advance(50)
    expect(caller.notes.events).toEqual(['ringing', 'answered'])
    caller.call.hangUp()
    timers.advance(50)
    expect(caller.notes.end).toEqual({ kind: 'hung_up' })
    expect(called?.notes.end).toEqual({ kind: 'hung_up_by_peer' })
    timers.advance(40_000)
    expect([ann.agent.callCount, bob.agent.callCount]).toEqual([0, 0])
    expect([ann.agent.transactions.size, bob.agent.transactions.size]).toEqual([0, 0])
    expect(timers.count).toBe(0)
  })

  test('ends by the called side', () => {
    const { caller, called } = connect()
    called.call.hangUp()
    timers.advance(50)
    expect(caller.notes.end).toEqual({ kind: 'hung_up_by_peer' })
  })

  test.each([
    [486, 'busy'],
    [600, 'busy'],
    [603, 'declined'],
    [480, 'no_answer'],
    [404, 'rejected'],
    [302, 'rejected'],
  ])('that is refused with %i ends as %s', (status, kind) => {
    bob.onCall = ({ call }) => call.reject(status)
    const { notes } = ann.dial(bob)
    timers.advance(100)
    expect(notes.end?.kind).toBe(kind)
    expect(network.count(/^ACK /)).toBe(1)
    timers.advance(40_000)
    expect(ann.agent.transactions.size + bob.agent.transactions.size).toBe(0)
  })

  test('to an address that does not answer ends after 32 s', () => {
    const { notes } = ann.dial({ address: '192.0.2.99' })
    timers.advance(31_999)
    expect(notes.end).toBeNull()
    timers.advance(1)
    expect(notes.end).toEqual({ kind: 'unreachable' })
    // 0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5 s
    expect(network.count(/^INVITE /)).toBe(7)
  })

  test('goes to the next address of the server if one does not respond [SIP-22]', () => {
    bob.onCall = ({ call }) => call.accept()
    const caller = ann.dial(bob, ['192.0.2.9', bob.address])
    timers.advance(31_000)
    expect(bob.received).toHaveLength(0)
    timers.advance(2000)
    expect(caller.notes.events).toEqual(['answered'])
    caller.call.hangUp()
    timers.advance(50)
    expect(bob.received.map(({ notes }) => notes.end)).toEqual([{ kind: 'hung_up_by_peer' }])
    timers.advance(40_000)
    expect(timers.count).toBe(0)
  })

  test('ends as unreachable if no address of the server responds [SIP-22]', () => {
    const caller = ann.dial(bob, ['192.0.2.8', '192.0.2.9'])
    timers.advance(63_000)
    expect(caller.notes.end).toBeNull()
    timers.advance(2000)
    expect(caller.notes.end).toEqual({ kind: 'unreachable' })
    expect(timers.count).toBe(0)
  })

  test('stays at an address that has responded', () => {
    bob.onCall = ({ call }) => call.reject(486)
    const caller = ann.dial(bob, [bob.address, '192.0.2.9'])
    timers.advance(100)
    expect(caller.notes.end).toEqual({ kind: 'busy', status: 486 })
    expect(network.count(/^INVITE/)).toBe(1)
  })

  test('that is not answered is cancelled after the limit', () => {
    bob.onCall = ({ call }) => call.ring()
    const { notes } = ann.dial(bob)
    timers.advance(61_000)
    expect(notes.end).toEqual({ kind: 'no_answer' })
    expect(bob.received[0]?.notes.end?.kind).toBe('no_answer')
  })

  test('whose offer does not fit is refused with 488', () => {
    bob.onCall = ({ call, media }) => {
      media.isPicky = true
      call.accept()
    }
    const { notes } = ann.dial(bob)
    timers.advance(100)
    expect(notes.end).toEqual({ kind: 'rejected', status: 488 })
    expect(bob.received[0]?.notes.end).toEqual({ kind: 'no_common_codec' })
  })

  test('is refused as busy beyond the limit', () => {
    bob.onCall = ({ call }) => call.accept()
    const calls = [1, 2, 3].map(() => ann.dial(bob))
    timers.advance(100)
    const carol = new TestPhone(network, timers, '192.0.2.3')
    const late = carol.dial(bob)
    timers.advance(100)
    expect(calls.map(({ notes }) => notes.end)).toEqual([null, null, null])
    expect(late.notes.end).toEqual({ kind: 'busy', status: 486 })
  })
})

describe('lost messages', () => {
  test('the 200 is repeated until its ACK arrives', () => {
    network.fate = loses(/^ACK /)
    const { caller, called } = connect()
    timers.advance(10_000)
    network.fate = () => [1]
    timers.advance(22_000)
    expect(called.notes.end).toBeNull()
    // 0, 0.5, 1.5, 3.5, 7.5, 11.5 s
    expect(
      network.sent.filter((text) => /^SIP\/2\.0 200/.test(text) && /CSeq: 1 INVITE/.test(text)),
    ).toHaveLength(6)
    expect(caller.notes.events).toEqual(['answered'])
  })

  test('the 200 is repeated over TCP too', () => {
    const [one, two] = ['192.0.2.11', '192.0.2.12'].map(
      (address) => new TestPhone(network, timers, address, { protocol: 'TCP' }),
    )
    if (!one || !two) throw new Error('The phones are missing.')
    two.onCall = ({ call }) => call.accept()
    network.fate = loses(/^ACK /)
    one.dial(two)
    timers.advance(4000)
    expect(network.count(/^INVITE /)).toBe(1)
    expect(network.count(/^SIP\/2\.0 200/)).toBe(4)
  })

  test('a 200 without any ACK ends the call with BYE', () => {
    network.fate = loses(/^ACK /)
    const { caller, called } = connect()
    timers.advance(33_000)
    expect(called.notes.end).toEqual({ kind: 'unacknowledged' })
    expect(caller.notes.end).toEqual({ kind: 'hung_up_by_peer' })
  })

  test('the 200 is not repeated after a BYE that arrives before the ACK', () => {
    network.fate = loses(/^ACK/)
    const { caller, called } = connect()
    caller.call.hangUp()
    timers.advance(100)
    expect(called.notes.end).toEqual({ kind: 'hung_up_by_peer' })
    const isAnswer = (text: string) => text.startsWith('SIP/2.0 200') && text.includes('CSeq: 1 INVITE')
    const answers = () => network.sent.filter(isAnswer).length
    const before = answers()
    timers.advance(40_000)
    expect(answers()).toBe(before)
    expect([ann.agent.callCount, bob.agent.callCount, timers.count]).toEqual([0, 0, 0])
  })

  test('a repeated INVITE makes no second call, also after its end', () => {
    let isFirst = true
    network.fate = (text) => {
      if (!text.startsWith('INVITE') || !isFirst) return [1]
      isFirst = false
      return [1, 200, 20_000]
    }
    const { caller } = connect()
    caller.call.hangUp()
    timers.advance(60_000)
    expect(bob.received).toHaveLength(1)
  })

  test('a lost BYE is repeated', () => {
    const { caller, called } = connect()
    network.fate = loses(/^BYE /)
    caller.call.hangUp()
    timers.advance(5000)
    expect(called.notes.end).toBeNull()
    network.fate = () => [1]
    timers.advance(5000)
    expect(called.notes.end).toEqual({ kind: 'hung_up_by_peer' })
  })
})

describe('CANCEL', () => {
  test('ends a ringing call with 487', () => {
    bob.onCall = ({ call }) => call.ring()
    const caller = ann.dial(bob)
    timers.advance(50)
    caller.call.hangUp()
    timers.advance(50)
    expect(bob.received[0]?.notes.end).toEqual({ kind: 'cancelled' })
    expect(caller.notes.end).toEqual({ kind: 'hung_up' })
    expect(network.count(/^SIP\/2\.0 487/)).toBe(1)
    timers.advance(80_000)
    expect(ann.agent.callCount + bob.agent.callCount).toBe(0)
    expect(ann.agent.transactions.size + bob.agent.transactions.size).toBe(0)
  })

  test('waits for a provisional response', () => {
    network.fate = (text) => (text.startsWith('SIP/2.0 1') ? [1000] : [1])
    bob.onCall = ({ call }) => call.ring()
    const caller = ann.dial(bob)
    timers.advance(10)
    caller.call.hangUp()
    timers.advance(500)
    expect(network.count(/^CANCEL /)).toBe(0)
    timers.advance(1000)
    expect(network.count(/^CANCEL /)).toBe(1)
    expect(bob.received[0]?.notes.end).toEqual({ kind: 'cancelled' })
  })

  test('that crosses a 200 ends the call with ACK and BYE', () => {
    bob.onCall = ({ call }) => call.ring()
    const caller = ann.dial(bob)
    timers.advance(50)
    bob.received[0]?.call.accept()
    caller.call.hangUp()
    timers.advance(50)
    expect(network.count(/^ACK /)).toBe(1)
    expect(network.count(/^BYE /)).toBe(1)
    expect(bob.received[0]?.notes.end).toEqual({ kind: 'hung_up_by_peer' })
    timers.advance(80_000)
    expect(ann.agent.callCount + bob.agent.callCount).toBe(0)
  })

  test('that is never answered does not keep the call', () => {
    bob.onCall = ({ call }) => call.ring()
    const caller = ann.dial(bob)
    timers.advance(50)
    network.fate = () => []
    caller.call.hangUp()
    timers.advance(64_000)
    expect(ann.agent.callCount).toBe(0)
    expect(ann.agent.transactions.size).toBe(0)
  })
})

describe('an answered call', () => {
  test('is held and resumed', () => {
    const { caller, called } = connect()
    caller.call.hold(true)
    timers.advance(100)
    expect(called.notes.events).toEqual(['answered', 'held'])
    caller.call.hold(false)
    timers.advance(100)
    expect(called.notes.events).toEqual(['answered', 'held', 'resumed'])
  })

  test('is held once if it is held and resumed quickly', () => {
    const { caller, called } = connect()
    caller.call.hold(true)
    caller.call.hold(false)
    timers.advance(5000)
    expect(called.notes.events.at(-1)).toBe('resumed')
    expect(called.media.isHeldByPeer).toBe(false)
  })

  test('settles if both sides hold at the same time', () => {
    const { caller, called } = connect()
    caller.call.hold(true)
    called.call.hold(true)
    timers.advance(10_000)
    expect(network.count(/^SIP\/2\.0 491/)).toBeGreaterThan(0)
    expect([caller.media.isHeldByPeer, called.media.isHeldByPeer]).toEqual([true, true])
    expect([caller.notes.end, called.notes.end]).toEqual([null, null])
  })

  test('receives digits by INFO', () => {
    const { caller, called } = connect()
    caller.call.sendInfo('5')
    timers.advance(50)
    expect(called.notes.events).toEqual(['answered', 'digit 5'])
  })

  test('refuses REFER, because a caller could make it dial', () => {
    const { caller, called } = connect()
    let status = 0
    called.call.request('REFER', [['refer-to', '<sip:expensive@example.com>']], '', {
      responded: (response) => {
        status = response.status
      },
      failed: () => {},
    })
    timers.advance(50)
    expect(status).toBe(603)
    expect(caller.notes.end).toBeNull()
  })

  test('is transferred: the peer reports success, then the call ends', async () => {
    const { caller, called } = connect()
    // The peer of this test accepts REFER by a message of its own.
    const answer = (text: string) => text.replace(/^SIP\/2\.0 603 Decline/, 'SIP/2.0 202 Accepted')
    const receive = (message: Buffer) =>
      ann.agent.receive(Buffer.from(answer(message.toString())), { address: bob.address, port: 5060 })
    network.connect(ann.address, receive)
    const outcome = caller.call.transfer('sip:carol@example.com')
    timers.advance(50)
    for (const line of ['SIP/2.0 100 Trying', 'SIP/2.0 200 OK'])
      called.call.request(
        'NOTIFY',
        [
          ['event', 'refer'],
          ['subscription-state', 'active'],
        ],
        line,
        {
          responded: () => {},
          failed: () => {},
        },
      )
    timers.advance(50)
    expect(await outcome).toEqual({ kind: 'completed' })
    expect(caller.notes.end).toEqual({ kind: 'transferred' })
    expect(network.sent.find((text) => text.startsWith('REFER'))).toContain(
      'Refer-To: <sip:carol@example.com>',
    )
  })

  test('stays if the peer refuses the transfer', async () => {
    const { caller } = connect()
    const outcome = caller.call.transfer('sip:carol@example.com')
    timers.advance(50)
    expect(await outcome).toEqual({ kind: 'refused', status: 603 })
    expect(caller.notes.end).toBeNull()
  })
})

describe('untrusted addresses', () => {
  beforeEach(() => {
    bob = new TestPhone(network, timers, '192.0.2.2', { isTrusted: ({ address }) => address === '192.0.2.1' })
  })

  test('get no answer', () => {
    const untrusted = new TestPhone(network, timers, '192.0.2.66')
    untrusted.dial(bob)
    timers.advance(40_000)
    expect(bob.received).toEqual([])
    expect(network.count(/^SIP/)).toBe(0)
  })

  test('get no answer during a call either', () => {
    connect()
    const before = network.count(/^SIP/)
    const untrusted = new TestPhone(network, timers, '192.0.2.66')
    untrusted.dial(bob)
    timers.advance(40_000)
    expect(network.count(/^SIP/)).toBe(before)
  })
})
