import type { ChatCall, ChatMessage, ChatTarget, ChatTool } from './chat-model.js'

/** Where the built-in engine listens, and what it wants to be shown. */
export interface EnginePlace {
  readonly url: string
  readonly secret: string
  /** Names this session's text model to the engine, which learns nothing else of it; null: the engine's own. */
  readonly ticket: string | null
  /** To be called when the session is over. */
  leave(): void
}

/** The built-in engine: a realtime provider and a small text model, inside the service. */
export interface EmbeddedEngine {
  /** A place for one session, to speak for this text model; the engine is started where it does not run yet. */
  start(voicedModel: ChatTarget | null): Promise<EnginePlace>
  /** One step of its offline text model. */
  think(
    messages: readonly ChatMessage[],
    tools: readonly ChatTool[],
  ): Promise<{ readonly text: string; readonly calls: readonly ChatCall[] }>
  close(): Promise<void>
}
