import type { ConnectionFailure } from '../../ports/realtime-provider.js'
import type { Fields } from './json-fields.js'
import type { Emit } from './server-event.js'

/**
 * Translates between OpenAI's realtime protocol and a provider's own one. An instance serves one session. It has no socket
 * and no timers: it reads events, messages and the time, and calls its output.
 */
export interface TranslatingDialect {
  /** The approximate size of all messages that wait for a socket. */
  readonly heldBytes: number
  /** The time of the next `tick`. Null if there is none. */
  readonly nextTickAt: number | null
  /** Called when the socket to the provider is open, the first time and after each `reconnect`. */
  opened(now: number): void
  /** Called for an event of the client or the service, except most audio. */
  receive(event: Fields, now: number): void
  /** Called for audio of the client, in Base64. */
  receiveAudio(base64: string, now: number): void
  /** Called for a message of the provider. */
  handle(message: Fields, now: number): void
  tick(now: number): void
  /** Called when the socket was lost or could not be opened again. The dialect reconnects or closes. */
  lost(cause: SocketLoss, now: number): void
  /** Called before the owner's close reaches the provider. Says goodbye, if the protocol has a message for that. */
  ending?(): void
}

export interface SocketLoss {
  readonly code: number
  readonly reason: string
}

/** What a dialect can do. */
export interface DialectOutput {
  /** Queues an event for the client. It is never delivered while the client's own event is handled. */
  readonly emit: Emit
  /** Sends a message, or the JSON text of one, to the provider. Dropped if no socket is open. */
  send(message: object | string): void
  /** The provider has accepted the configuration. */
  confirm(): void
  /** The provider has rejected the configuration, so that another one can be tried. */
  refuse(reason: ConnectionFailure, detail: string): void
  /** Closes the socket to the provider, and opens another one after that. */
  reconnect(): void
  /** Ends the session for the client, after all queued events. */
  close(code: number, reason: string): void
}
