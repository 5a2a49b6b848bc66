import { type Fields, listOf } from '../realtime-dialects/json-fields.js'

interface Tokens {
  readonly input: number
  readonly inputAudio: number
  readonly inputImage: number
  readonly cached: number
  readonly cachedAudio: number
  readonly output: number
  readonly outputAudio: number
}

/**
 * The usage of a session's responses. Messages report it per generation: with the end of a turn, before a call or alone.
 * A report after the end of its response counts for the next one.
 */
export class GeminiUsage {
  #settled: Tokens | null = null
  /** The latest report of the current generation, which replaces earlier ones. */
  #latest: Tokens | null = null

  /** Reads the usage of a message, if it has any. */
  note(metadata: Fields): void {
    this.#latest = tokensOf(metadata) ?? this.#latest
  }

  /** Called at the end of a generation. */
  settle(): void {
    this.#settled = sum(this.#settled, this.#latest)
    this.#latest = null
  }

  /** Returns the usage since the last call in OpenAI's form, or null if nothing was reported. */
  take(): object | null {
    this.settle()
    const tokens = this.#settled
    this.#settled = null
    return tokens && usageOf(tokens)
  }
}

const counts = ['promptTokenCount', 'responseTokenCount', 'candidatesTokenCount', 'totalTokenCount']

/** Returns null if the message has no counts. Gemini's own total leaves out thoughts, so it is not used. */
function tokensOf(metadata: Fields): Tokens | null {
  if (!counts.some((name) => typeof metadata[name] === 'number')) return null
  const count = (name: string) => numberOf(metadata[name])
  const input = count('promptTokenCount') + count('toolUsePromptTokenCount')
  const prompt = [...listOf(metadata.promptTokensDetails), ...listOf(metadata.toolUsePromptTokensDetails)]
  const response = [...listOf(metadata.responseTokensDetails), ...listOf(metadata.candidatesTokensDetails)]
  const spoken = count('responseTokenCount') || count('candidatesTokenCount')
  const output = spoken + count('thoughtsTokenCount')
  const inputAudio = Math.min(ofModality(prompt, /^AUDIO$/), input)
  return {
    input,
    inputAudio,
    inputImage: Math.min(ofModality(prompt, /^(?:IMAGE|VIDEO)$/), input - inputAudio),
    cached: Math.min(count('cachedContentTokenCount'), input),
    cachedAudio: Math.min(ofModality(listOf(metadata.cacheTokensDetails), /^AUDIO$/), input),
    output,
    outputAudio: Math.min(ofModality(response, /^AUDIO$/), output),
  }
}

function ofModality(details: readonly Fields[], modality: RegExp): number {
  return details
    .filter((detail) => modality.test(String(detail.modality)))
    .reduce((total, { tokenCount }) => total + numberOf(tokenCount), 0)
}

const numberOf = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0)

function sum(one: Tokens | null, other: Tokens | null): Tokens | null {
  if (one === null || other === null) return one ?? other
  return {
    input: one.input + other.input,
    inputAudio: one.inputAudio + other.inputAudio,
    inputImage: one.inputImage + other.inputImage,
    cached: one.cached + other.cached,
    cachedAudio: one.cachedAudio + other.cachedAudio,
    output: one.output + other.output,
    outputAudio: one.outputAudio + other.outputAudio,
  }
}

/** The details do not add up to the counts. The rest is text. */
function usageOf(tokens: Tokens): object {
  const { input, inputAudio, inputImage, cached, cachedAudio, output, outputAudio } = tokens
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: {
      text_tokens: input - inputAudio - inputImage,
      audio_tokens: inputAudio,
      image_tokens: inputImage,
      cached_tokens: cached,
      cached_tokens_details: { text_tokens: cached - cachedAudio, audio_tokens: cachedAudio },
    },
    output_token_details: { text_tokens: output - outputAudio, audio_tokens: outputAudio },
  }
}

/** Transcription is part of the tokens of a response. */
export const noTranscriptionUsage = {
  type: 'tokens',
  total_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
} as const
