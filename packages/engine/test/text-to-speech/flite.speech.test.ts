import { expect, test } from 'vitest'
import { loadFlite, speakable } from '#engine/text-to-speech/flite.js'
import { fliteVoice } from '#engine/text-to-speech/voices.js'

const speak = await loadFlite()

test('every voice of the provider maps to a voice with audible speech', () => {
  const names = [
    'alloy',
    'ash',
    'ballad',
    'coral',
    'echo',
    'sage',
    'shimmer',
    'verse',
    'marin',
    'cedar',
    'unknown',
  ]
  for (const voice of new Set(names.map(fliteVoice))) {
    const { samples, rate } = speak({ text: 'Good morning.', voice, speed: 1 })
    expect(rate).toBe(16_000)
    expect(samples.length / rate).toBeGreaterThan(0.4)
    expect(Math.max(...samples)).toBeGreaterThan(2000)
  }
})

test('the speed changes the duration', () => {
  const length = (speed: number) =>
    speak({ text: 'This is a sentence of some length.', voice: 'slt', speed }).samples.length
  expect(length(1.5)).toBeLessThan(length(1) * 0.75)
  expect(length(0.5)).toBeGreaterThan(length(1) * 1.7)
})

test.each(['', ' ', '...', '\u65e5\u672c', '\u{1f600}'])(
  'text that cannot be spoken is silence: %j',
  (text) => {
    expect(speak({ text, voice: 'slt', speed: 1 }).samples).toHaveLength(0)
  },
)

test('formatting marks are not read aloud', () => {
  expect(speakable('**Caf\u00e9** \u2014 it\u2019s `open`')).toBe("Cafe , it's open")
})
