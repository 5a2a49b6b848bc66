import { decodeG711, encodeG711 } from '@parley/telephone'
import { expect, test } from 'vitest'
import { ProviderAudio } from '#server/adapters/realtime-dialects/provider-audio.js'

const codes = Uint8Array.from({ length: 256 }, (_, code) => code)

test.each(['g711_ulaw', 'g711_alaw'] as const)('every code of %s survives decoding and encoding', (law) => {
  const samples = decodeG711(codes, law)
  expect(decodeG711(encodeG711(samples, law), law)).toEqual(samples)
  expect(decodeG711(encodeG711(Int16Array.of(-32_768, 32_767), law), law).map(Math.abs)).toEqual(
    Int16Array.of(...Array.from({ length: 2 }, () => Math.max(...samples))),
  )
})

test('PCM16 reaches the client unchanged', () => {
  expect(new ProviderAudio('audio/pcm', 24_000).convert('AAAA')).toBe('AAAA')
})

test.each(['audio/pcmu', 'audio/pcma'])('a second of speech becomes a second of %s', (format) => {
  const audio = new ProviderAudio(format, 24_000)
  const frame = Buffer.alloc(4800).toString('base64')
  const bytes = Array.from({ length: 10 }, () => Buffer.from(audio.convert(frame), 'base64').length)
  const total = bytes.reduce((sum, length) => sum + length, 0)
  expect(total).toBeGreaterThan(7980)
  expect(total).toBeLessThanOrEqual(8000)
})
