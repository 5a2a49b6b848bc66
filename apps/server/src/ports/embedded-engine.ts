import type { ChatCall, ChatMessage, ChatTarget, ChatTool } from './chat-model.js'

/** The address of the built-in engine for one session, and the secret that it requires. */
export interface EngineAddress {
  readonly url: string
  readonly secret: string
  /**
   * Identifies the chat model that the engine provides the voice for. The engine receives no other
   * information about it. Null for the engine's own model.
   */
  readonly voicedModelToken: string | null
  /** Must be called when the session has ended. */
  release(): void
}

export interface DemoStepRequest {
  /** The organization. The engine serves organizations round-robin. */
  readonly organizationId: string
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ChatTool[]
  readonly responseSchema: Readonly<Record<string, unknown>> | null
}

/** The text and the tool calls of one step of the engine's demo model. */
export interface DemoStep {
  readonly text: string
  readonly calls: readonly ChatCall[]
}

/** The built-in engine: a realtime provider and a demo model inside the service. */
export interface EmbeddedEngine {
  /**
   * Returns an address for one session that provides the voice for this chat model. Starts the engine if it
   * is not running.
   */
  start(voicedModel: ChatTarget | null): Promise<EngineAddress>
  /** Runs one step of the demo model. */
  runDemoStep(request: DemoStepRequest): Promise<DemoStep>
  /** Speaks an English sentence, as samples of 16 bits at 8000 Hz. Starts the engine. Throws if it has no voice. */
  speak(text: string): Promise<Int16Array>
  isRunning(): boolean
  close(): Promise<void>
}
