import type { ConnectionKind } from '@parley/contract'
import type { FrameSocket } from '@parley/relay-socket'
import type { ChatTarget } from './chat-model.js'

/** The address of a realtime model and the parameters of the connection. */
export interface ProviderTarget {
  /** The organization of the session. The engine serves organizations round-robin. */
  readonly organizationId: string
  readonly kind: ConnectionKind
  /** The connection's address, without a trailing slash. */
  readonly address: string
  readonly apiKey: string | null
  readonly model: string
  /** Whether the connection comes from the operator's environment. */
  readonly isFromEnvironment: boolean
  /**
   * The text model that the built-in engine provides the voice for. Null for the engine's own model and for
   * all other providers.
   */
  readonly voicedModel: ChatTarget | null
  /** The text model behind a voice of GPT-Live, at the same connection. Null for all other models. */
  readonly backendModel: string | null
}

/** The prefix of the service's event ids. Providers quote these ids in errors. */
export const serviceEventPrefix = 'svc_'

/** Whether an event with this id comes from the service, and not from a client. */
export const isServiceEventId = (eventId: unknown): eventId is string =>
  typeof eventId === 'string' && eventId.startsWith(serviceEventPrefix)

/** The first events of a session: its configuration and the history of the conversation. */
export interface ProviderOpening {
  readonly update: object
  readonly items: readonly object[]
}

/**
 * Why a connection failed: the provider did not respond, refused the session, has reached its own limit, or rejected
 * the connection's key, address or model.
 */
export type ConnectionFailure = 'unreachable' | 'refused' | 'busy' | 'misconfigured'

/** An open socket, or an error message for the caller, which contains no secrets. */
export type ProviderConnection =
  | { readonly ok: true; readonly socket: FrameSocket }
  | { readonly ok: false; readonly reason: ConnectionFailure; readonly detail: string }

/** The provider of a realtime session. */
export interface RealtimeProvider {
  /**
   * Opens a socket to the model and sends the opening, or returns why this failed. Aborting cancels it
   * immediately.
   */
  connect(target: ProviderTarget, opening: ProviderOpening, signal: AbortSignal): Promise<ProviderConnection>
}
