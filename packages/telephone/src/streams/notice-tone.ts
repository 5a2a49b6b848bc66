/** The special information tone of ITU-T E.180, which precedes announcements. Its pitches belong to no key. */
const pitches = [950, 1400, 1800]
const rate = 8000
const toneSamples = 0.33 * rate
/** -9 dB. */
const amplitude = 11_600

/** Returns the tone as samples at 8000 Hz, for calls that end without an announcement. */
export function noticeTone(): Int16Array {
  const samples = new Int16Array(toneSamples * pitches.length)
  for (let at = 0; at < samples.length; at += 1) {
    const hertz = pitches[Math.floor(at / toneSamples)] ?? 0
    samples[at] = Math.round(amplitude * Math.sin((2 * Math.PI * hertz * at) / rate))
  }
  return samples
}
