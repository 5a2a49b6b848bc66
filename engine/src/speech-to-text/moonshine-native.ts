import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recognitionRate } from '../audio/pcm.js'
import { importOptional } from '../runtime/optional-package.js'
import { loadTokenizer, type Moonshine, modelFile } from './moonshine-model.js'

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

const importLibrary = () => importOptional<{ default: SpeechLibrary }>('sherpa-onnx-node')

/**
 * To be called where threads that hear are started from. From Node 24 on, a process in which the last thread that had the
 * library has ended cannot load it again: whoever takes that thread's place would hear with the small model from then on.
 */
export async function keepNativeLibrary(): Promise<void> {
  // Where it is absent, or does not load, the threads find that out for themselves.
  await importLibrary().catch(() => undefined)
}

/** The larger model: the native library is quick enough for it. */
export async function loadNativeMoonshine(): Promise<Moonshine> {
  const { default: library } = await importLibrary()
  const recognizer = await withTokenFile((tokens) => openRecognizer(library, tokens))
  return {
    runtime: 'native',
    async transcribe(samples) {
      const stream = recognizer.createStream()
      stream.acceptWaveform({ samples, sampleRate: recognitionRate })
      // Blocks, as it may: the thread does nothing else.
      recognizer.decode(stream)
      return recognizer.getResult(stream).text
    },
  }
}

function openRecognizer(library: SpeechLibrary, tokens: string): Recognizer {
  const moonshine = {
    encoder: modelFile('base', 'encoder_model.onnx'),
    mergedDecoder: modelFile('base', 'decoder_model_merged.onnx'),
  }
  // One thread: the threads of all workers share the machine, and the calls are short.
  const modelConfig = { moonshine, tokens, numThreads: 1, provider: 'cpu', debug: 0 }
  return new library.OfflineRecognizer({ featConfig: { sampleRate: recognitionRate }, modelConfig })
}

/** The library reads the model's vocabulary from a file, once: a line for each token, in base64, and its number. */
async function withTokenFile<Result>(use: (file: string) => Result): Promise<Result> {
  const { vocabById } = await loadTokenizer()
  const lines = vocabById.map((token, id) => `${Buffer.from(token).toString('base64')}\t${id}\n`)
  const folder = await mkdtemp(join(tmpdir(), 'parley-tokens-'))
  try {
    const file = join(folder, 'tokens.txt')
    await writeFile(file, lines.join(''))
    return use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
