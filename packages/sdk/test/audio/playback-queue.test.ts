import { describe, expect, test } from 'vitest'
import { PlaybackQueue } from '#sdk/audio/playback-queue.js'

const deviceRate = 48_000
const quantum = 128
const part = (itemId: string) => ({ itemId, contentIndex: 0 })
const loud = (milliseconds: number) => new Int16Array(24 * milliseconds).fill(16_000)

/** Renders this much audio in blocks of the size that browsers request. */
function render(queue: PlaybackQueue, milliseconds: number): number[] {
  const output: number[] = []
  const piece = new Float32Array(quantum)
  for (let frames = 0; frames < (milliseconds * deviceRate) / 1000; frames += quantum) {
    queue.render(piece)
    output.push(...piece)
  }
  return output
}

const loudMilliseconds = (output: readonly number[]) =>
  (output.filter((sample) => Math.abs(sample) > 0.001).length * 1000) / deviceRate

/** Returns the largest step between two samples. A large step is audible as a click. */
const largestStep = (output: readonly number[]) =>
  output.reduce((largest, sample, place) => Math.max(largest, Math.abs(sample - (output[place - 1] ?? 0))), 0)

describe('The playback queue', () => {
  test('buffers audio for 100 ms, or until it is complete [SDK-28]', () => {
    const queue = new PlaybackQueue(deviceRate)
    queue.push(part('a'), loud(60))
    expect(loudMilliseconds(render(queue, 50))).toBe(0)
    queue.push(part('a'), loud(60))
    expect(loudMilliseconds(render(queue, 200))).toBeCloseTo(120, -1)

    queue.push(part('b'), loud(20))
    queue.finish('b')
    expect(loudMilliseconds(render(queue, 60))).toBeCloseTo(20, -1)
  })

  test('starts even if no more audio follows, and buffers more after every gap [SDK-28]', () => {
    const queue = new PlaybackQueue(deviceRate)
    queue.push(part('a'), loud(40))
    expect(loudMilliseconds(render(queue, 300))).toBeCloseTo(40, -1)
    queue.push(part('a'), loud(120))
    expect(loudMilliseconds(render(queue, 50))).toBe(0)
    queue.push(part('a'), loud(40))
    expect(loudMilliseconds(render(queue, 300))).toBeCloseTo(160, -1)
  })

  test('does not click at the start, at a gap or when it is cleared [SDK-28]', () => {
    const queue = new PlaybackQueue(deviceRate)
    queue.push(part('a'), loud(150))
    const output = render(queue, 250)
    queue.push(part('a'), loud(500))
    output.push(...render(queue, 200))
    queue.cut()
    output.push(...render(queue, 50))
    expect(Math.max(...output)).toBeGreaterThan(0.4)
    expect(largestStep(output)).toBeLessThan(0.02)
    expect(output.slice(-1000).every((sample) => sample === 0)).toBe(true)
  })

  test('counts each part sample by sample until it is cleared [SDK-28]', () => {
    const queue = new PlaybackQueue(deviceRate)
    queue.push(part('a'), loud(200))
    queue.push(part('b'), loud(200))
    queue.push(part('c'), loud(200))
    const heard = loudMilliseconds(render(queue, 300))
    const [first, second, ...others] = queue.cut()
    expect(first?.itemId).toBe('b')
    expect(Math.abs(200 + (first?.playedSamples ?? 0) / 24 - heard)).toBeLessThan(3)
    expect(second).toEqual({ itemId: 'c', contentIndex: 0, playedSamples: 0 })
    expect(others).toEqual([])
    expect(loudMilliseconds(render(queue, 300))).toBeLessThan(5)
    expect(queue.cut()).toEqual([])
  })

  test('does not drift: one minute of audio takes one minute [SDK-28]', () => {
    const queue = new PlaybackQueue(44_100)
    const piece = new Float32Array(quantum)
    const sound = loud(20_000)
    let frames = 0
    for (let pushed = 0; pushed < 3; pushed += 1) {
      queue.push(part('a'), sound)
      for (; frames < (pushed + 0.9) * 20 * 44_100; frames += quantum) queue.render(piece)
    }
    const [heard] = queue.cut()
    expect(Math.abs((heard?.playedSamples ?? 0) / 24 - (frames * 1000) / 44_100)).toBeLessThan(1)
  })
})
