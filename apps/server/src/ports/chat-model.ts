import type { Connection } from '@parley/contract'

/** Which model to ask, and where. The key is opened and goes nowhere but there. */
export interface ChatTarget {
  /** Whose it is: the engine's thread serves organizations in turn. */
  readonly organizationId: string
  readonly kind: Connection['kind']
  readonly baseUrl: string | null
  readonly apiKey: string | null
  readonly model: string
  /** The connection that the model is reached by: its use is counted there. */
  readonly connectionId: string
  /** The operator's environment has made the connection. */
  readonly isFromEnvironment: boolean
}

/** A tool as a model sees it. */
export interface ChatTool {
  readonly name: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A call that a model makes; the arguments are its own words, JSON text if all is well. */
export interface ChatCall {
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

/** A picture for models that can see. */
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
  /** Those of inputTokens that came from a cache. */
  readonly cachedInputTokens: number
  /** Those of inputTokens that were put into a cache. */
  readonly cacheWriteTokens: number
}

/** The usage of a step that used nothing. */
export const noUsage: ChatUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
}

/** Whether tools are to be called: as the model sees fit, not at all, at least one, or this one. */
export type ChatToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface ChatStepRequest {
  readonly target: ChatTarget
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ChatTool[]
  /** `auto` where it is left out. */
  readonly toolChoice?: ChatToolChoice | undefined
  /** The model's own limit where it is left out. */
  readonly maxOutputTokens?: number | undefined
  /** For the whole step, tries included. */
  readonly timeoutMilliseconds: number
  /** Aborting cancels the step at once; its outcome then does not matter any more. */
  readonly signal: AbortSignal
  /** Called with each piece of the answer as it comes. */
  readonly onText?: ((delta: string) => void) | undefined
}

/** One step of a model: what it answered, or why it failed. */
export type ChatStep =
  | {
      readonly ok: true
      readonly text: string
      /** Calls whose outputs the next step needs; none where this is the end of the turn. */
      readonly calls: readonly ChatCall[]
      /** Null: the provider did not say. */
      readonly usage: ChatUsage | null
      /** The answer was cut off at the model's limit. */
      readonly isCutOff: boolean
      /** The model that answered, as the provider names it; left out if it did not say. */
      readonly responseModel?: string | undefined
    }
  | {
      readonly ok: false
      /** Fit for the caller: what is wrong and what to do, without secrets. */
      readonly detail: string
      /** What was said before it failed. */
      readonly text: string
      /** Nothing where the provider refused; null: it had begun, and did not say. */
      readonly usage: ChatUsage | null
    }

/** Text models. One step at a time: the loop of a turn is the domain's. Never rejects: a failure is a value. */
export interface ChatModels {
  step(request: ChatStepRequest): Promise<ChatStep>
}
