import { expect, test } from 'vitest'
import { ClientAudio } from '#server/adapters/realtime-dialects/client-audio.js'

const samples = Int16Array.from({ length: 2400 }, (_, index) =>
  Math.round(9000 * Math.sin((2 * Math.PI * 440 * index) / 24_000)),
)
const bytes = Buffer.from(samples.buffer)

function convert(audio: ClientAudio, frames: readonly Buffer[]): Buffer {
  return Buffer.concat(frames.map((frame) => Buffer.from(audio.convert(frame.toString('base64')), 'base64')))
}

test('PCM16 keeps its samples if a frame ends within one', () => {
  const whole = convert(new ClientAudio('audio/pcm', 16_000), [bytes])
  const split = [bytes.subarray(0, 333), bytes.subarray(333, 334), bytes.subarray(334)]
  expect(convert(new ClientAudio('audio/pcm', 16_000), split)).toEqual(whole)
  expect(whole.length / 2).toBe(1600 - 8)
})

test.each(['audio/pcmu', 'audio/pcma'])('speech of a telephone in %s is resampled from 8 kHz', (format) => {
  const codes = Buffer.alloc(800, format === 'audio/pcmu' ? 0xff : 0xd5)
  const converted = convert(new ClientAudio(format, 16_000), [codes])
  expect(converted.length / 2).toBe(1600 - 24)
  const loudest = Math.max(
    ...Array.from({ length: 700 }, (_, index) => Math.abs(converted.readInt16LE(2 * index))),
  )
  expect(loudest).toBeLessThan(20)
})
