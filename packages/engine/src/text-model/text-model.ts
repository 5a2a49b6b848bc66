import type { ServiceFailure } from '../runtime/outcome.js'

/** A tool as a model reads of it. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A call that a model makes; the arguments are JSON text. */
export interface ModelCall {
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly output: string }

/** Whether tools are to be used: as it sees fit, not at all, at least one, or this one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface ModelRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly toolChoice: ToolChoice
  readonly maxOutputTokens: number | null
  /** Aborting ends the work at once; the answer does not matter any more then. */
  readonly signal: AbortSignal
  /** Receives the answer as it comes. */
  readonly onText: (delta: string) => void
}

/** What a model counted of its own work; cached tokens are among the input's. */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens: number
}

export type ModelAnswer =
  | {
      readonly ok: true
      readonly calls: readonly ModelCall[]
      /** Where the model counts itself. */
      readonly usage: ModelUsage | null
      /** The answer ended at the limit. */
      readonly isCutOff: boolean
    }
  | ServiceFailure

/** Never rejects: a failure is an answer. */
export interface TextModel {
  /** There will be a question soon. */
  prepare?(): void
  respond(request: ModelRequest): Promise<ModelAnswer>
}
