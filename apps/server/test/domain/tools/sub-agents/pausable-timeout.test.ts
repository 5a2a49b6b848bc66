import { describe, expect, test } from 'vitest'
import { PausableTimeout } from '#server/domain/tools/sub-agents/run-sub-agent.js'
import { makeTestTimers } from '../../../support/test-timers.js'

function begin(milliseconds: number) {
  const timers = makeTestTimers()
  const limit = new PausableTimeout(timers, milliseconds)
  return { timers, limit, isOver: () => limit.signal.aborted }
}

test('the time is over when it is over, and not before', () => {
  const { timers, isOver } = begin(1000)
  timers.advance(999)
  expect(isOver()).toBe(false)
  timers.advance(1)
  expect(isOver()).toBe(true)
})

describe('while a person is awaited [SUB-2]', () => {
  test('the clock stands still, and afterwards the agent has what was left', () => {
    const { timers, limit, isOver } = begin(1000)
    timers.advance(400)
    limit.awaitPerson(true)
    timers.advance(100_000)
    expect(isOver()).toBe(false)
    limit.awaitPerson(false)
    timers.advance(599)
    expect(isOver()).toBe(false)
    timers.advance(1)
    expect(isOver()).toBe(true)
  })

  test('every time anew, and only what lies between counts', () => {
    const { timers, limit, isOver } = begin(1000)
    for (let count = 0; count < 9; count += 1) {
      timers.advance(100)
      limit.awaitPerson(true)
      timers.advance(5000)
      limit.awaitPerson(false)
    }
    timers.advance(99)
    expect(isOver()).toBe(false)
    timers.advance(1)
    expect(isOver()).toBe(true)
  })

  test('one who has decided does not start it for another who has not', () => {
    const { timers, limit, isOver } = begin(1000)
    limit.awaitPerson(true)
    limit.awaitPerson(true)
    limit.awaitPerson(false)
    timers.advance(100_000)
    expect(isOver()).toBe(false)
    expect(timers.waiting).toBe(0)
    limit.awaitPerson(false)
    timers.advance(1000)
    expect(isOver()).toBe(true)
  })
})

describe('an agent that has finished', () => {
  test('leaves no timer behind', () => {
    const { timers, limit, isOver } = begin(1000)
    limit.end()
    expect(timers.waiting).toBe(0)
    timers.advance(1000)
    expect(isOver()).toBe(false)
  })

  test.each([
    ['was still awaited', [false]],
    ['was asked for too late', [true, false]],
  ])('leaves none for a person who %s', (_, awaited) => {
    const { timers, limit } = begin(1000)
    if (awaited[0] === false) limit.awaitPerson(true)
    limit.end()
    for (const isAwaited of awaited) limit.awaitPerson(isAwaited)
    expect(timers.waiting).toBe(0)
  })
})
