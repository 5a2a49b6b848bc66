import { describe, expect, test } from 'vitest'
import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw } from '#engine/audio/g711.js'
import { bytesFromSamples, joinSamples, samplesFromBytes } from '#engine/audio/pcm.js'
import { Resampler, resampleClip } from '#engine/audio/resampler.js'
import { fromWav, toWav } from '#engine/audio/wav.js'
import { fromWire, toWire, WireDecoder } from '#engine/audio/wire-audio.js'

function tone(rate: number, hertz: number, seconds = 1): Int16Array {
  return Int16Array.from({ length: rate * seconds }, (_, index) =>
    Math.round(16_000 * Math.sin((2 * Math.PI * hertz * index) / rate)),
  )
}

/** Returns the level of the tone relative to everything else, in decibels. */
function signalToNoise(samples: Int16Array, rate: number, hertz: number): number {
  const wanted = tone(rate, hertz, samples.length / rate)
  let signal = 0
  let noise = 0
  for (let index = 200; index < samples.length - 200; index += 1) {
    signal += (wanted[index] ?? 0) ** 2
    noise += ((samples[index] ?? 0) - (wanted[index] ?? 0)) ** 2
  }
  return 10 * Math.log10(signal / noise)
}

describe('The resampler', () => {
  test.each([
    [16_000, 24_000],
    [24_000, 16_000],
    [8000, 16_000],
    [16_000, 8000],
    [22_050, 24_000],
  ])('keeps a tone and its length from %i to %i', (from, to) => {
    const samples = resampleClip({ samples: tone(from, 1000), rate: from }, to)
    expect(samples.length).toBe(to)
    expect(signalToNoise(samples, to, 1000)).toBeGreaterThan(70)
  })

  test('returns the same samples for chunks of any size and for one piece', () => {
    const samples = tone(24_000, 440)
    const resampler = new Resampler(24_000, 16_000)
    const parts: Int16Array[] = []
    for (let start = 0, size = 1; start < samples.length; start += size, size = (size * 7) % 1000 || 1)
      parts.push(resampler.push(samples.subarray(start, start + size)))
    parts.push(resampler.flush())
    expect(joinSamples(parts).subarray(0, 16_000)).toEqual(resampleClip({ samples, rate: 24_000 }, 16_000))
  })

  test('removes frequencies above half the lower rate', () => {
    const samples = resampleClip({ samples: tone(24_000, 10_500), rate: 24_000 }, 16_000)
    expect(Math.max(...samples.subarray(200, 15_800).map(Math.abs))).toBeLessThan(20)
  })
})

describe('The telephone codecs', () => {
  test('encode and decode the known values of mu-law', () => {
    expect([...encodeMuLaw(Int16Array.of(0, 1000, -1000, 32_767, -32_768))]).toEqual([
      0xff, 0xce, 0x4e, 0x80, 0x00,
    ])
    expect([...decodeMuLaw(Uint8Array.of(0xff, 0x7f, 0x80, 0x00))]).toEqual([0, 0, 32_124, -32_124])
  })

  test('encode and decode the known values of A-law', () => {
    expect([...encodeALaw(Int16Array.of(0, 1000, -1000, 32_767, -32_768))]).toEqual([
      0xd5, 0xfa, 0x7a, 0xaa, 0x2a,
    ])
    expect([...decodeALaw(Uint8Array.of(0xd5, 0x55, 0xaa, 0x2a))]).toEqual([8, -8, 32_256, -32_256])
  })

  test('encode every decoded code to the same code', () => {
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code)
    expect([...encodeALaw(decodeALaw(codes))]).toEqual([...codes])
    // Mu-law has two codes for zero.
    expect([...encodeMuLaw(decodeMuLaw(codes))]).toEqual(
      [...codes].map((code) => (code === 0x7f ? 0xff : code)),
    )
  })
})

describe('The wire format', () => {
  test('may split a sample between two chunks', () => {
    const bytes = bytesFromSamples(tone(24_000, 440))
    const whole = new WireDecoder({ type: 'audio/pcm', rate: 24_000 }).decode(bytes)
    const decoder = new WireDecoder({ type: 'audio/pcm', rate: 24_000 })
    const parts = [
      decoder.decode(bytes.subarray(0, 1001)),
      decoder.decode(bytes.subarray(1001, 1002)),
      decoder.decode(bytes.subarray(1002)),
    ]
    expect(joinSamples(parts)).toEqual(whole)
  })

  test.each([
    { type: 'audio/pcm', rate: 24_000 } as const,
    { type: 'audio/pcmu' } as const,
    { type: 'audio/pcma' } as const,
  ])('keeps audio as $type', (format) => {
    const clip = { samples: tone(16_000, 700), rate: 16_000 }
    const back = fromWire(toWire(clip, format), format)
    expect(back.samples.length).toBe(16_000)
    expect(signalToNoise(back.samples, 16_000, 700)).toBeGreaterThan(30)
  })
})

describe('The WAV reader', () => {
  test('reads a file that the writer made', () => {
    const clip = { samples: tone(16_000, 440), rate: 16_000 }
    expect(fromWav(toWav(clip))).toEqual(clip)
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['another file', Buffer.alloc(100, 'x')],
  ])('returns null for %s', (_, file) => {
    expect(fromWav(file)).toBeNull()
  })

  test('accepts other chunks and a wrong length', () => {
    const wav = toWav({ samples: Int16Array.of(1, 2, 3), rate: 8000 })
    const list = Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1')
    const odd = Buffer.concat([wav.subarray(0, 12), list, wav.subarray(12)])
    odd.writeUInt32LE(0xffff_ffff, odd.indexOf('data') + 4)
    expect(fromWav(odd)?.samples).toEqual(Int16Array.of(1, 2, 3))
  })
})

test('samples are read as little endian, and half a sample is ignored', () => {
  expect(samplesFromBytes(Buffer.from([1, 0, 255, 255, 9]))).toEqual(Int16Array.of(1, -1))
})
