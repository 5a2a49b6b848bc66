import { describe, expect, test } from 'vitest'
import { InputClock } from '#server/adapters/openai-live/input-clock.js'

/** 100 ms of PCM16 at 24 kHz. */
const frame = (amplitude: number) =>
  Buffer.from(
    Int16Array.from({ length: 2400 }, (_, index) => amplitude * Math.sin(index / 9)).buffer,
  ).toString('base64')
const loud = frame(8000)
const quiet = frame(0)

function makeClock() {
  const clock = new InputClock('audio/pcm', 'audio/pcm')
  clock.start(0)
  const sent = (now: number) => clock.takeDue(now).map(({ audio }) => (audio === loud ? 'loud' : 'quiet'))
  /** Lets enough time pass for all audio. */
  const sentUntilEmpty = (since: number) => {
    const all = sent(since)
    for (let now = since + 100; clock.isWaiting; now += 100) all.push(...sent(now))
    return all
  }
  return { clock, sent, sentUntilEmpty }
}

describe('audio that comes faster than real time', () => {
  test('is sent in real time, half a second ahead at most [RT-69]', () => {
    const { clock, sent } = makeClock()
    for (let count = 0; count < 30; count += 1) clock.add(loud)
    const first = sent(0).length
    expect(first).toBeLessThanOrEqual(6)
    let total = first
    for (let now = 100; now <= 1000; now += 100) {
      total += sent(now).length
      expect(total * 100).toBeLessThanOrEqual(now + 600)
    }
    expect([total, clock.isWaiting]).toEqual([16, true])
  })

  test('loses its long pauses, so that it catches up [RT-69]', () => {
    const { clock, sentUntilEmpty } = makeClock()
    for (let count = 0; count < 10; count += 1) clock.add(loud)
    for (let count = 0; count < 20; count += 1) clock.add(quiet)
    clock.add(loud)
    expect(sentUntilEmpty(0)).toEqual([...Array(10).fill('loud'), ...Array(3).fill('quiet'), 'loud'])
  })

  test('keeps its pauses if nothing waits', () => {
    const { clock, sent } = makeClock()
    const all = Array.from({ length: 20 }, (_, index) => {
      clock.add(quiet)
      return sent(index * 100)
    })
    expect(all.flat()).toHaveLength(20)
  })

  test('is dropped beyond 30 seconds, which is reported once [RT-69]', () => {
    const { clock, sentUntilEmpty } = makeClock()
    const drops = Array.from({ length: 400 }, () => clock.add(loud).isFirstDrop)
    expect(drops.filter(Boolean)).toHaveLength(1)
    expect(sentUntilEmpty(0)).toHaveLength(300)
  })

  test('is not overtaken by silence', () => {
    const { clock } = makeClock()
    for (let count = 0; count < 10; count += 1) clock.add(loud)
    clock.takeDue(0)
    expect(clock.takeSilence(200)).toBeNull()
    clock.takeDue(2000)
    expect(clock.takeSilence(2000 + 5000)).not.toBeNull()
  })
})
