import { beforeEach, describe, expect, test } from 'vitest'
import { PressedKeys } from '#server/domain/telephone/pressed-keys.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

let timers: TestTimers
let keys: PressedKeys
let events: string[]

beforeEach(() => {
  timers = makeTestTimers()
  events = []
  keys = new PressedKeys(timers, {
    pressed: (text) => events.push(`text ${text}`),
    asked: (callId) => events.push(`ask ${callId}`),
    decided: (callId, isApproved) => events.push(`${isApproved ? 'approve' : 'reject'} ${callId}`),
    chosen: (target) => events.push(`transfer to ${target}`),
  })
})

const press = (digits: string) => {
  for (const digit of digits) keys.press(digit)
}

describe('pressed keys', () => {
  test('asks for approvals one after another, and decides on them in this order [TEL-55]', () => {
    keys.await('first')
    keys.await('second')
    timers.advance(1000)
    press('1')
    timers.advance(1000)
    press('2')
    expect(events).toEqual(['ask first', 'approve first', 'ask second', 'reject second'])
  })

  test('do not decide within a second after the question, because they cannot reply to it [TEL-55]', () => {
    keys.await('first')
    keys.await('second')
    timers.advance(1000)
    press('11')
    timers.advance(1500)
    expect(events).toEqual(['ask first', 'approve first', 'ask second', 'text 1'])
  })

  test('are text after an approval has expired, also if they come late [TEL-56]', () => {
    keys.await('first')
    timers.advance(1000)
    keys.noLongerAwait('first')
    press('1')
    timers.advance(1500)
    expect(events).toEqual(['ask first', 'text 1'])
  })

  test('do not decide on the next approval if the previous one has just expired [TEL-56]', () => {
    keys.await('first')
    keys.await('second')
    timers.advance(60_000)
    keys.noLongerAwait('first')
    press('1')
    timers.advance(1500)
    expect(events).toEqual(['ask first', 'ask second', 'text 1'])
  })

  test('are text if no approval waits, and 3 never decides [TEL-4]', () => {
    keys.await('first')
    timers.advance(1000)
    press('3')
    keys.forgetApprovals()
    press('12#')
    timers.advance(1500)
    expect(events).toEqual(['ask first', 'text 312#'])
  })

  test('lead to a person for 30 seconds after they were offered, and once [TEL-53]', () => {
    keys.offer('0', 'Porter')
    timers.advance(29_999)
    press('00')
    timers.advance(1500)
    keys.offer('0', 'Porter')
    timers.advance(30_000)
    press('0')
    timers.advance(1500)
    expect(events).toEqual(['transfer to Porter', 'text 0', 'text 0'])
  })

  test('offer a key again with the newest target and a new time limit [TEL-53]', () => {
    keys.offer('0', 'Porter')
    timers.advance(20_000)
    keys.offer('0', 'Manager')
    timers.advance(20_000)
    press('0')
    expect(events).toEqual(['transfer to Manager'])
  })

  test('decide on an approval before they lead to a person [TEL-54]', () => {
    keys.offer('1', 'Porter')
    keys.await('refund')
    timers.advance(1000)
    press('1')
    press('1')
    expect(events).toEqual(['ask refund', 'approve refund', 'transfer to Porter'])
  })

  test('leave no timer behind', () => {
    keys.offer('1', 'Porter')
    press('5')
    keys.stop()
    expect(timers.waiting).toBe(0)
  })
})
