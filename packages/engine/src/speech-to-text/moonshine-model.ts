import { dirname, join } from 'node:path'
import { importOptional, optionalEntry } from '../runtime/optional-package.js'

interface Tokenizer {
  readonly vocabById: readonly string[]
  decode(tokens: readonly number[], addBos: boolean, addSpace: boolean): string
}

/** A recogniser, loaded. It takes up to half a minute of sound at a time. */
export interface Moonshine {
  /** What runs it, for people. */
  readonly runtime: string
  transcribe(samples: Float32Array): Promise<string>
}

/** The path of a part of a model, as its package keeps it. */
export function modelFile(size: 'tiny' | 'base', part: string): string {
  return join(dirname(optionalEntry('@usefulsensors/moonshine-js')), 'model', size, 'quantized', part)
}

export async function loadTokenizer(): Promise<Tokenizer> {
  const { default: tokenizer } = await importOptional<{ default: Tokenizer }>('llama-tokenizer-js')
  return tokenizer
}
