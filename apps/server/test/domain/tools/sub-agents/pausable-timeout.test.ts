import { describe, expect, test } from 'vitest'
import { PausableTimeout } from '#server/domain/tools/sub-agents/run-sub-agent.js'
import { makeTestTimers } from '../../../support/test-timers.js'

function begin(milliseconds: number) {
  const timers = makeTestTimers()
  const limit = new PausableTimeout(timers, milliseconds)
  return { timers, limit, isOver: () => limit.signal.aborted }
}

test('the signal aborts when the time is over, and not before', () => {
  const { timers, isOver } = begin(1000)
  timers.advance(999)
  expect(isOver()).toBe(false)
  timers.advance(1)
  expect(isOver()).toBe(true)
})

describe('a timeout that waits for a person [SUB-2]', () => {
  test('pauses and continues with the remaining time', () => {
    const { timers, limit, isOver } = begin(1000)
    timers.advance(400)
    limit.setAwaitingApproval(true)
    timers.advance(100_000)
    expect(isOver()).toBe(false)
    limit.setAwaitingApproval(false)
    timers.advance(599)
    expect(isOver()).toBe(false)
    timers.advance(1)
    expect(isOver()).toBe(true)
  })

  test('counts only the time between several pauses', () => {
    const { timers, limit, isOver } = begin(1000)
    for (let count = 0; count < 9; count += 1) {
      timers.advance(100)
      limit.setAwaitingApproval(true)
      timers.advance(5000)
      limit.setAwaitingApproval(false)
    }
    timers.advance(99)
    expect(isOver()).toBe(false)
    timers.advance(1)
    expect(isOver()).toBe(true)
  })

  test('continues only when no person is awaited any more', () => {
    const { timers, limit, isOver } = begin(1000)
    limit.setAwaitingApproval(true)
    limit.setAwaitingApproval(true)
    limit.setAwaitingApproval(false)
    timers.advance(100_000)
    expect(isOver()).toBe(false)
    expect(timers.waiting).toBe(0)
    limit.setAwaitingApproval(false)
    timers.advance(1000)
    expect(isOver()).toBe(true)
  })
})

describe('a timeout of an agent that has finished', () => {
  test('leaves no timer behind', () => {
    const { timers, limit, isOver } = begin(1000)
    limit.end()
    expect(timers.waiting).toBe(0)
    timers.advance(1000)
    expect(isOver()).toBe(false)
  })

  test.each([
    ['is still awaited', [false]],
    ['is asked too late', [true, false]],
  ])('starts no timer for a person who %s', (_, awaited) => {
    const { timers, limit } = begin(1000)
    if (awaited[0] === false) limit.setAwaitingApproval(true)
    limit.end()
    for (const isAwaited of awaited) limit.setAwaitingApproval(isAwaited)
    expect(timers.waiting).toBe(0)
  })
})
