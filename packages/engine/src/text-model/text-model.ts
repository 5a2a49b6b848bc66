import type { ServiceFailure } from '../runtime/outcome.js'

/** A tool, as the model sees it. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A tool call by the model. The arguments are JSON text. */
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

/** The tool choice: automatic, none, at least one, or a specific tool. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface ModelRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly toolChoice: ToolChoice
  readonly maxOutputTokens: number | null
  /** Aborting stops the work immediately. The response is then ignored. */
  readonly signal: AbortSignal
  /** Receives the answer during its generation. */
  readonly onText: (delta: string) => void
}

/** The model's own token counts. Input tokens include cached tokens. */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens: number
}

export type ModelAnswer =
  | {
      readonly ok: true
      readonly calls: readonly ModelCall[]
      /** Set if the model counts tokens itself. */
      readonly usage: ModelUsage | null
      /** The answer ended at the token limit. */
      readonly isCutOff: boolean
    }
  | ServiceFailure

/** Never rejects. A failure is returned as a value. */
export interface TextModel {
  /** Called before a question is expected. */
  prepare?(): void
  respond(request: ModelRequest): Promise<ModelAnswer>
}
