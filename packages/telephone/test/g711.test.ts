import { describe, expect, test } from 'vitest'
import { decodeG711, decodeMuLaw, encodeG711 } from '#telephone/g711.js'
import { noticeTone } from '#telephone/streams/notice-tone.js'

describe('audio in G.711', () => {
  test.each(['g711_ulaw', 'g711_alaw'] as const)('survives decoding and encoding in %s', (codec) => {
    const samples = decodeG711(
      Uint8Array.from({ length: 256 }, (_, code) => code),
      codec,
    )
    expect(decodeG711(encodeG711(samples, codec), codec)).toEqual(samples)
  })

  test('has the codes of the standard for silence and the loudest samples', () => {
    const samples = Int16Array.of(0, 32_767, -32_768)
    expect([...encodeG711(samples, 'g711_ulaw')]).toEqual([0xff, 0x80, 0x00])
    expect([...encodeG711(samples, 'g711_alaw')]).toEqual([0xd5, 0xaa, 0x2a])
  })

  test('keeps each sample within a step of mu-law', () => {
    const samples = Int16Array.from({ length: 4096 }, (_, at) => at * 16 - 32_768)
    for (const [at, code] of encodeG711(samples, 'g711_ulaw').entries()) {
      const sample = samples[at] ?? 0
      expect(Math.abs(decodeMuLaw(code) - sample)).toBeLessThanOrEqual(
        Math.max(Math.abs(sample) / 16, 16) + 132,
      )
    }
  })
})

test('the notice tone has three rising pitches of a third of a second', () => {
  const samples = noticeTone()
  const third = samples.length / 3
  const pitches = [0, 1, 2].map((part) => {
    const tone = samples.subarray(part * third, (part + 1) * third)
    const crossings = tone.filter((sample, at) => sample < 0 !== (tone[at - 1] ?? 0) < 0).length
    return Math.round(crossings / 2 / 0.33 / 10) * 10
  })
  expect([samples.length, pitches]).toEqual([7920, [950, 1400, 1800]])
})
