import { describe, expect, test } from 'vitest'
import { singleFlight } from '#server/concurrency/single-flight.js'

/** Reads that end when the test ends them. */
function makeReads() {
  const ends: ((outcome: string | Error) => void)[] = []
  const read = singleFlight(
    () =>
      new Promise<string>((resolve, reject) => {
        ends.push((outcome) => (typeof outcome === 'string' ? resolve(outcome) : reject(outcome)))
      }),
  )
  return { read, ends }
}

const passed = () => new Promise((resolve) => void setImmediate(resolve))

describe('singleFlight', () => {
  test('shares one read among callers that arrive before it begins [BND-15]', async () => {
    const { read, ends } = makeReads()
    const first = read('key')
    const others = Array.from({ length: 400 }, () => read('key'))
    expect(ends).toHaveLength(1)
    ends[0]?.('before')
    expect(await first).toBe('before')
    await passed()
    expect(ends).toHaveLength(2)
    ends[1]?.('after')
    expect(new Set(await Promise.all(others))).toEqual(new Set(['after']))
    const later = read('key')
    expect(ends).toHaveLength(3)
    ends[2]?.('later')
    expect(await later).toBe('later')
  })

  test('shares the failure of a read and reads again for the next caller', async () => {
    const { read, ends } = makeReads()
    const first = expect(read('key')).rejects.toThrow('away')
    const second = read('key')
    ends[0]?.(new Error('away'))
    await first
    await passed()
    ends[1]?.('back')
    expect(await second).toBe('back')
  })

  test('reads different keys independently', () => {
    const { read, ends } = makeReads()
    void read('one')
    void read('other')
    expect(ends).toHaveLength(2)
  })
})
