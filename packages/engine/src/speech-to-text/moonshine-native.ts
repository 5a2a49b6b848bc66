import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recognitionRate } from '../audio/pcm.js'
import { loadTokenizer, type Moonshine, modelFile } from './moonshine-model.js'
import { loadNativeLibrary } from './native-library.js'

/** Loads the larger model, because the native library is fast enough for it. */
export async function loadNativeMoonshine(): Promise<Moonshine> {
  const { OfflineRecognizer } = await loadNativeLibrary()
  const recognizer = await withTokenFile((tokens) => new OfflineRecognizer(recognizerConfig(tokens)))
  return {
    runtime: 'native',
    async transcribe(samples) {
      const stream = recognizer.createStream()
      stream.acceptWaveform({ samples, sampleRate: recognitionRate })
      // This call may block, because the thread does nothing else.
      recognizer.decode(stream)
      return recognizer.getResult(stream).text
    },
  }
}

function recognizerConfig(tokens: string): object {
  const moonshine = {
    encoder: modelFile('base', 'encoder_model.onnx'),
    mergedDecoder: modelFile('base', 'decoder_model_merged.onnx'),
  }
  // One thread: all workers share the machine, and the calls are short.
  const modelConfig = { moonshine, tokens, numThreads: 1, provider: 'cpu', debug: 0 }
  return { featConfig: { sampleRate: recognitionRate }, modelConfig }
}

/** The library reads the vocabulary from a file, once. Each line has a token in base64 and its number. */
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
