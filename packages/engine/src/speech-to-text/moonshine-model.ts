import { dirname, join } from 'node:path'
import { importOptional, optionalEntry } from '../runtime/optional-package.js'

interface Tokenizer {
  readonly vocabById: readonly string[]
  decode(tokens: readonly number[], addBos: boolean, addSpace: boolean): string
}

/** A loaded recognizer. It accepts up to half a minute of audio at a time. */
export interface Moonshine {
  /** The name of the runtime, for log messages. */
  readonly runtime: string
  transcribe(samples: Float32Array): Promise<string>
}

/** Returns the path of a model file inside its package. */
export function modelFile(size: 'tiny' | 'base', part: string): string {
  return join(dirname(optionalEntry('@usefulsensors/moonshine-js')), 'model', size, 'quantized', part)
}

export async function loadTokenizer(): Promise<Tokenizer> {
  const { default: tokenizer } = await importOptional<{ default: Tokenizer }>('llama-tokenizer-js')
  return tokenizer
}
