import type { AudioFormat } from '../realtime/session-event.js'
import { decodeALaw, decodeMuLaw, encodeALaw, encodeMuLaw } from './g711.js'
import {
  bytesFromSamples,
  fromBase64,
  samplesFromBytes,
  toBase64,
  toFloat,
  toInt16,
  wireRate,
} from './pcm.js'
import { Resampler, resample } from './resampler.js'

/** Converts between local audio (24 000 samples a second) and the content of messages. */
export type SpeechEncoder = (samples: Int16Array) => string
export type SpeechDecoder = (base64: string) => Int16Array

const telephoneRate = 8000
const telephone = {
  g711_ulaw: { encode: encodeMuLaw, decode: decodeMuLaw },
  g711_alaw: { encode: encodeALaw, decode: decodeALaw },
} as const

export function makeEncoder(format: AudioFormat): SpeechEncoder {
  if (format === 'pcm16') return (samples) => toBase64(bytesFromSamples(samples))
  const resampler = new Resampler(wireRate, telephoneRate)
  const { encode } = telephone[format]
  return (samples) => toBase64(encode(toInt16(resample(resampler, toFloat(samples)))))
}

export function makeDecoder(format: AudioFormat): SpeechDecoder {
  if (format === 'pcm16') return (base64) => samplesFromBytes(fromBase64(base64))
  const resampler = new Resampler(telephoneRate, wireRate)
  const { decode } = telephone[format]
  return (base64) => toInt16(resample(resampler, toFloat(decode(fromBase64(base64)))))
}
