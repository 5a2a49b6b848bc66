import type { ConnectionKind } from '@parley/contract'
import type { FrameSocket } from '@parley/relay-socket'
import type { ChatTarget } from './chat-model.js'

/** Where and how to reach a realtime model. */
export interface ProviderTarget {
  /** Whose session it is: the engine serves organizations in turn. */
  readonly organizationId: string
  readonly kind: ConnectionKind
  /** The connection's address, without a slash at its end. */
  readonly address: string
  readonly apiKey: string | null
  readonly model: string
  /** The operator's environment has made the connection. */
  readonly isFromEnvironment: boolean
  /** The text model that the built-in engine is to speak for; null: its own, and with every other provider. */
  readonly voicedModel: ChatTarget | null
}

/** An open socket, or why there is none, fit for the caller: it holds no secret. */
export type ProviderConnection =
  | { readonly ok: true; readonly socket: FrameSocket }
  | { readonly ok: false; readonly detail: string }

/** The far side of a realtime session. */
export interface RealtimeProvider {
  /** Opens a socket to the model, or says why that cannot be. Aborting cancels it at once. */
  connect(target: ProviderTarget, signal: AbortSignal): Promise<ProviderConnection>
}
