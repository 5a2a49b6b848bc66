import { encodeMuLaw } from '../g711.js'

const rows = [697, 770, 852, 941]
const columns = [1209, 1336, 1477, 1633]
const keypad = ['123A', '456B', '789C', '*0#D']

const samplesPerMillisecond = 8
const toneSamples = 100 * samplesPerMillisecond
const pauseSamples = 100 * samplesPerMillisecond
/** -9 dB for each tone, so that both together stay below full scale. */
const amplitude = 11_600

/** The tones of keys in mu-law, for carriers that cannot send digits in another way. */
export function toneAudio(digits: string): Buffer {
  const samples = toneSamples + pauseSamples
  const audio = Buffer.alloc(digits.length * samples)
  for (const [index, digit] of [...digits].entries()) {
    const row = keypad.findIndex((keys) => keys.includes(digit))
    const [low, high] = [rows[row], columns[keypad[row]?.indexOf(digit) ?? -1]]
    if (low === undefined || high === undefined) throw new Error('Digits must be 0-9, *, # or A-D.')
    for (let at = 0; at < samples; at += 1) {
      const value = at < toneSamples ? amplitude * (wave(low, at) + wave(high, at)) : 0
      audio[index * samples + at] = encodeMuLaw(Math.round(value))
    }
  }
  return audio
}

const wave = (hertz: number, at: number) => Math.sin((2 * Math.PI * hertz * at) / 8000)
