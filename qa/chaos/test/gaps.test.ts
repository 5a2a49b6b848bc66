import { describe, expect, test } from 'vitest'
import { slowGaps } from '#chaos/moves/gaps.js'

const gaps = (slow: number) => Array.from({ length: 100 }, (_, index) => (index < slow ? 1500 : 200))

describe('the gaps of a rolling restart', () => {
  test('pass if 99 of 100 are below 1.5 s', () => {
    expect(slowGaps(gaps(1))).toEqual([])
  })

  test('fail if two of 100 are not below 1.5 s', () => {
    expect(slowGaps(gaps(2))).toEqual(['The gap p99 is 1500 ms, and must be below 1500 ms'])
  })

  test('fail if no session has moved', () => {
    expect(slowGaps([])).toEqual(['No session has moved to the other instance'])
  })
})
