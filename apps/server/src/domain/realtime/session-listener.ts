import type { CustomEvent, EndReason } from '@parley/contract'

/**
 * The calls that the parts of a session make to the session itself. They are ignored after the session has
 * ended.
 */
export interface SessionListener {
  /** Sends a custom event to the client. */
  emit(event: CustomEvent): void
  /** Sends an error event to the client, in response to one of its frames. */
  refuse(error: string): void
  /** Forwards a client frame to the provider. */
  forward(data: Buffer, isBinary: boolean): void
  /** Sends an event of the service to the provider. */
  sendToProvider(event: object): void
  /** Called at the first audio of each response, with its monotonic time. */
  firstAudio(at: number): void
  end(reason: EndReason, message: string): void
}

/** The socket activity that tool calls depend on. */
export interface SocketActivity {
  /** The monotonic time of the provider's last frame. */
  readonly lastProviderFrameAt: number
  /** Called when work ends that kept the session busy without frames. */
  noteActivity(): void
}
