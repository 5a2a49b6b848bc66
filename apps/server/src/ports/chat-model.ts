import type { Connection } from '@parley/contract'

/** The model to call and its address. The key is decrypted and must be sent only to this address. */
export interface ChatTarget {
  /** The organization. The engine's thread serves organizations round-robin. */
  readonly organizationId: string
  readonly kind: Connection['kind']
  readonly baseUrl: string | null
  readonly apiKey: string | null
  readonly model: string
  /** The connection to the model. Usage is recorded for it. */
  readonly connectionId: string
  /** Whether the connection comes from the operator's environment. */
  readonly isFromEnvironment: boolean
}

/** A tool as the model sees it. */
export interface ChatTool {
  readonly name: string
  readonly description: string
  /** The JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * A tool call by the model. `arguments` is the model's text. It should be JSON, but this is not guaranteed.
 */
export interface ChatCall {
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

/** An image for models that support image input. */
export interface ChatImage {
  readonly contentType: string
  readonly bytes: Uint8Array
}

export type ChatMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly ChatImage[] | undefined }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ChatCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly output: string }

export interface ChatUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The part of `inputTokens` that was read from a cache. */
  readonly cachedInputTokens: number
  /** The part of `inputTokens` that was written to a cache. */
  readonly cacheWriteTokens: number
}

/** The usage of a step that used no tokens. */
export const noUsage: ChatUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
}

/** Whether the model calls tools: as it decides, never, at least one, or this one. */
export type ChatToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface ChatStepRequest {
  readonly target: ChatTarget
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ChatTool[]
  /** Defaults to `auto`. */
  readonly toolChoice?: ChatToolChoice | undefined
  /** The JSON schema of the text, if the step answers instead of calling tools. Null if any text is allowed. */
  readonly responseSchema?: Readonly<Record<string, unknown>> | null | undefined
  /** Defaults to the model's own limit. */
  readonly maxOutputTokens?: number | undefined
  /** Applies to the whole step, including retries. */
  readonly timeoutMilliseconds: number
  /** Aborting cancels the step immediately. Its result must then be ignored. */
  readonly signal: AbortSignal
  /** Called with each piece of the answer as it arrives. */
  readonly onText?: ((delta: string) => void) | undefined
}

/** The result of one model step: the answer, or the reason of its failure. */
export type ChatStep =
  | {
      readonly ok: true
      readonly text: string
      /** Calls whose outputs the next step needs. Empty at the end of a turn. */
      readonly calls: readonly ChatCall[]
      /** Null if the provider did not report it. */
      readonly usage: ChatUsage | null
      /** Whether the answer was cut off at the model's limit. */
      readonly isCutOff: boolean
      /** The model that answered, as reported by the provider. Absent if the provider did not report it. */
      readonly responseModel?: string | undefined
    }
  | {
      readonly ok: false
      /** A description of the problem and its solution for the caller. Contains no secrets. */
      readonly detail: string
      /** The text that arrived before the failure. */
      readonly text: string
      /**
       * `noUsage` if the provider refused the request. Null if the provider started to answer and did not
       * report its usage.
       */
      readonly usage: ChatUsage | null
    }

/**
 * Text models. Executes a single step, because the domain implements the loop of a turn. Never rejects: a
 * failure is returned as a value.
 */
export interface ChatModels {
  step(request: ChatStepRequest): Promise<ChatStep>
}
