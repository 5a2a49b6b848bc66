import type { ChatCall, ChatMessage, ChatTool } from './chat-model.js'

/** Where the built-in engine listens, and what it wants to be shown. */
export interface EnginePlace {
  readonly url: string
  readonly secret: string
}

/** The built-in engine: a realtime provider and a small text model, inside the service. */
export interface EmbeddedEngine {
  /** Starts it where it does not run yet, on a private port. */
  start(): Promise<EnginePlace>
  /** One step of its offline text model. */
  think(
    messages: readonly ChatMessage[],
    tools: readonly ChatTool[],
  ): Promise<{ readonly text: string; readonly calls: readonly ChatCall[] }>
  close(): Promise<void>
}
