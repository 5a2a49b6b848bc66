import type { CustomEvent, EndReason } from '@parley/contract'

/** The requests that the parts of a session make of the session itself. They are ignored once it has ended. */
export interface SessionListener {
  /** Sends a custom event to the client. */
  emit(event: CustomEvent): void
  /** Sends an error event to the client, in answer to one of its frames. */
  refuse(error: string): void
  /** Forwards a frame of the client to the provider. */
  forward(data: Buffer, isBinary: boolean): void
  /** Sends an event of the service to the provider. */
  sendToProvider(event: object): void
  /** Called at the first audio of each response, with its monotonic time. */
  firstAudio(at: number): void
  end(reason: EndReason, message: string): void
}

/** The activity of the session's sockets, as far as tool calls need it. */
export interface SocketActivity {
  /** The monotonic time of the provider's last frame. */
  readonly lastProviderFrameAt: number
  /** Called when something ends that kept the session busy without frames. */
  noteActivity(): void
}
