import { createRequire } from 'node:module'
import { importOptional } from '../runtime/optional-package.js'

const name = 'sherpa-onnx-node'
const require = createRequire(import.meta.url)

/** The part of the native library that is used here. It may be absent, so its own types cannot be named. */
interface SpeechLibrary {
  readonly OfflineRecognizer: new (config: object) => Recognizer
}

interface Recognizer {
  createStream(): Stream
  decode(stream: Stream): void
  getResult(stream: Stream): { readonly text: string }
}

interface Stream {
  acceptWaveform(sound: { readonly samples: Float32Array; readonly sampleRate: number }): void
}

export async function loadNativeLibrary(): Promise<SpeechLibrary> {
  const { default: library } = await importOptional<{ default: SpeechLibrary }>(name)
  return library
}

/**
 * Holds the library as long as this thread lives. From Node 24 on, a process in which the last thread that had it has ended
 * cannot load it again, and whoever takes that thread's place hears with the small model: so it is held by one that stays.
 * It takes ten milliseconds, once.
 */
export function keepNativeLibrary(): void {
  try {
    require(name)
  } catch {
    // Where it does not load, whoever hears finds that out and says so.
  }
}
