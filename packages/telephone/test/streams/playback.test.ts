import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Playback } from '#telephone/streams/playback.js'
import { PlayingCarrier } from './support/playing-carrier.js'

const seeds = { seed: 45, numRuns: 100 }

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ play: fc.integer({ min: 1, max: 400 }) }) },
  { weight: 4, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 700 }) }) },
  { weight: 1, arbitrary: fc.constant({ clear: true }) },
)

describe('the account of played audio', () => {
  test('is never ahead of the heard audio, and behind by the delay of marks at most', () => {
    const run = fc.property(
      fc.integer({ min: 0, max: 120 }),
      fc.array(step, { maxLength: 60 }),
      (delay, steps) => {
        let now = 0
        const playback = new Playback(() => now)
        const carrier = new PlayingCarrier(delay)
        /** Audio whose end was reported, or that was heard before a clear. */
        let accounted = 0
        const advance = (milliseconds: number) => {
          for (let at = 0; at < milliseconds; at += 1) {
            now += 1
            for (const mark of carrier.tick()) {
              for (const played of playback.acknowledge(mark)) accounted = played.milliseconds
            }
          }
        }
        const clear = () => {
          const { passage, playedMilliseconds } = playback.clear()
          if (passage !== null) accounted = playedMilliseconds
          expect(accounted).toBeLessThanOrEqual(carrier.heardMilliseconds)
          expect(accounted).toBeGreaterThanOrEqual(carrier.heardMilliseconds - delay)
          expect(playback.unplayedMilliseconds).toBe(0)
          carrier.clear()
          // Errors of several clears add up, so the comparison ends with the first inexact one.
          return accounted
        }
        for (const next of [...steps, { clear: true }]) {
          if ('play' in next) carrier.play(next.play, playback.add('a', next.play))
          else if ('wait' in next) advance(next.wait)
          else if (clear() !== carrier.heardMilliseconds) return
        }
      },
    )
    fc.assert(run, seeds)
  })

  test('reports every passage that was heard completely, even if earlier marks are lost', () => {
    const pieces = fc.array(
      fc.record({
        passage: fc.constantFrom('a', 'b', 'c'),
        milliseconds: fc.integer({ min: 1, max: 400 }),
        isLost: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    )
    const run = fc.property(pieces, (given) => {
      const playback = new Playback(() => 0)
      const marks = given.map(({ passage, milliseconds }) => playback.add(passage, milliseconds))
      const played = given.flatMap(({ isLost }, at) =>
        isLost && at < given.length - 1 ? [] : playback.acknowledge(marks[at] ?? ''),
      )
      const runs = given.reduce<{ passage: string; milliseconds: number }[]>(
        (all, { passage, milliseconds }) => {
          const last = all.at(-1)
          if (last?.passage === passage) last.milliseconds += milliseconds
          else all.push({ passage, milliseconds })
          return all
        },
        [],
      )
      expect(played).toEqual(runs)
      expect(playback.unplayedMilliseconds).toBe(0)
    })
    fc.assert(run, seeds)
  })

  test('is not changed by marks that are unknown, repeated or cleared', () => {
    let now = 0
    const playback = new Playback(() => now)
    const first = playback.add('a', 100)
    now = 40
    expect(playback.clear()).toEqual({ passage: 'a', playedMilliseconds: 40 })
    const second = playback.add('b', 100)
    expect(playback.acknowledge(first)).toEqual([])
    expect(playback.acknowledge('parley-99')).toEqual([])
    now = 90
    expect(playback.acknowledge(second)).toEqual([{ passage: 'b', milliseconds: 100 }])
    expect(playback.acknowledge(second)).toEqual([])
    expect(playback.clear()).toEqual({ passage: null, playedMilliseconds: 0 })
  })

  test('uses the clock if a carrier sends no marks', () => {
    let now = 0
    const playback = new Playback(() => now)
    playback.add('a', 400)
    now = 60_000
    expect(playback.unplayedMilliseconds).toBe(0)
    playback.add('a', 400)
    expect(playback.unplayedMilliseconds).toBe(400)
    now = 60_300
    expect(playback.unplayedMilliseconds).toBe(100)
  })
})
