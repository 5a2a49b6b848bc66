import type { FliteVoice } from './flite.js'

/** Maps each of the provider's voice names to our closest voice. */
const voices: Readonly<Record<string, FliteVoice>> = {
  alloy: 'slt',
  ash: 'rms',
  ballad: 'awb',
  cedar: 'rms',
  coral: 'slt',
  echo: 'rms',
  marin: 'slt',
  sage: 'slt',
  shimmer: 'slt',
  verse: 'awb',
}

export function fliteVoice(name: string): FliteVoice {
  return (Object.hasOwn(voices, name) ? voices[name] : undefined) ?? 'slt'
}
