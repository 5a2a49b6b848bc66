import { array, assert, asyncProperty, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { IncomingCall } from '#telephone/sip/incoming-call.js'
import type { OutgoingCall } from '#telephone/sip/outgoing-call.js'
import { MemoryNetwork } from '../support/memory-network.js'
import { TestPhone } from '../support/test-phone.js'
import { TestTimers } from '../support/test-timers.js'

/** How long packets are lost, repeated and swapped. */
const chaosMilliseconds = 40_000
const action = record({
  at: integer({ min: 0, max: 30_000 }),
  kind: constantFrom('accept', 'reject', 'ring', 'caller hangs up', 'called hangs up', 'hold', 'hold back'),
})
function actionsOf(caller: OutgoingCall, called: IncomingCall | undefined) {
  return {
    accept: () => called?.accept(),
    reject: () => called?.reject(486),
    ring: () => called?.ring(),
    'caller hangs up': () => caller.hangUp(),
    'called hangs up': () => called?.hangUp(),
    hold: () => caller.hold(true),
    'hold back': () => called?.hold(true),
  }
}

/** The delays of the copies of each packet. The list repeats. */
const fates = array(
  constantFrom<readonly number[]>([1], [1], [1], [], [], [1, 5], [900], [2, 700], [3000], [1, 9000]),
  { minLength: 1, maxLength: 40 },
)

test('any order, repetition and loss of messages ends in one call or none', () => {
  assert(
    property(array(action, { maxLength: 6 }), fates, (actions, delays) => {
      const timers = new TestTimers()
      const network = new MemoryNetwork(timers)
      const settings = { sessionSeconds: 90, minimumSessionSeconds: 90 }
      const ann = new TestPhone(network, timers, '192.0.2.1', { settings })
      const bob = new TestPhone(network, timers, '192.0.2.2', { settings })
      let packet = 0
      network.fate = () => {
        if (timers.monotonic() > chaosMilliseconds) return [1]
        packet += 1
        return delays[packet % delays.length] ?? [1]
      }
      const caller = ann.dial(bob)
      for (const { at, kind } of actions)
        timers.after(at, () => actionsOf(caller.call, bob.received[0]?.call)[kind]())
      timers.advance(chaosMilliseconds + 400_000)

      expect(bob.received.length).toBeLessThanOrEqual(1)
      const [called] = bob.received
      const isUp = caller.notes.end === null
      // Both sides agree, and each has heard of the end and of the answer at most once.
      expect((called?.notes.end ?? null) === null && called !== undefined).toBe(isUp)
      for (const notes of [caller.notes, called?.notes])
        for (const kind of ['answered', 'ended'])
          expect(notes?.events.filter((event) => event === kind).length ?? 0).toBeLessThanOrEqual(1)
      if (isUp) expect(caller.notes.events).toContain('answered')
      expect([ann.agent.callCount, bob.agent.callCount]).toEqual(isUp ? [1, 1] : [0, 0])
      if (isUp) return
      // Nothing is left behind.
      expect([ann.agent.transactions.size, bob.agent.transactions.size, timers.count]).toEqual([0, 0, 0])
    }),
    { numRuns: 400 },
  )
})

test('messages of a whole call in any order never break either side', async () => {
  await assert(
    asyncProperty(array(integer({ min: 0, max: 1000 }), { maxLength: 60 }), async (order) => {
      const timers = new TestTimers()
      const network = new MemoryNetwork(timers)
      const ann = new TestPhone(network, timers, '192.0.2.1')
      const bob = new TestPhone(network, timers, '192.0.2.2')
      bob.onCall = ({ call }) => call.accept()
      const caller = ann.dial(bob)
      timers.advance(50)
      caller.call.hangUp()
      timers.advance(50)
      const packets = [...network.sent]
      for (const index of order) {
        const packet = Buffer.from(packets[index % packets.length] ?? '')
        const phone = index % 2 === 0 ? ann : bob
        phone.agent.receive(packet, { address: '192.0.2.9', port: 5060 })
        timers.advance(10)
      }
      timers.advance(700_000)
      expect([ann.agent.transactions.size, bob.agent.transactions.size]).toEqual([0, 0])
      expect([ann.agent.callCount, bob.agent.callCount]).toEqual([0, 0])
    }),
    { numRuns: 200 },
  )
})
