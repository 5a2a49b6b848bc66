import type { ChatCall, ChatMessage, ChatTarget, ChatTool } from './chat-model.js'

/** Where one session reaches the built-in engine, and what it must show there. */
export interface EngineAddress {
  readonly url: string
  readonly secret: string
  /** Names this session's voiced model to the engine, which learns nothing else of it; null: the engine's own model. */
  readonly voicedModelToken: string | null
  /** To be called when the session is over. */
  release(): void
}

export interface DemoStepRequest {
  /** For whom: organizations take turns. */
  readonly organizationId: string
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ChatTool[]
}

/** What the engine's demo model says and calls in one step. */
export interface DemoStep {
  readonly text: string
  readonly calls: readonly ChatCall[]
}

/** The built-in engine: a realtime provider and a demo model, inside the service. */
export interface EmbeddedEngine {
  /** An address for one session that speaks for this chat model; the engine is started where it does not run yet. */
  start(voicedModel: ChatTarget | null): Promise<EngineAddress>
  /** Runs one step of its demo model. */
  runDemoStep(request: DemoStepRequest): Promise<DemoStep>
  /** Whether it runs by now. */
  isRunning(): boolean
  close(): Promise<void>
}
