import { createRequire } from 'node:module'
import { importOptional } from '../runtime/optional-package.js'

const name = 'sherpa-onnx-node'
const require = createRequire(import.meta.url)

/** The part of the native library that the engine uses. The package is optional, so its own types cannot be imported. */
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
 * Keeps the native library loaded for the life of this thread. From Node 24 on, a process cannot load it again after the
 * last thread that had it has ended, and the next recognizer thread would fall back to the small model. So a long-lived
 * thread must hold it. It takes ten milliseconds, once.
 */
export function keepNativeLibrary(): void {
  try {
    require(name)
  } catch {
    // If it does not load, the recognizer finds out and reports it.
  }
}
