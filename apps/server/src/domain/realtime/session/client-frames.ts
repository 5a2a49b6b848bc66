import type { RefusalCode } from '@parley/contract'
import type { CallRegistry } from '../calls/call-reader.js'
import {
  type ClientEvent,
  type ClientFrameVerdict,
  judgeClientFrame,
} from '../protocol/judge-client-frame.js'
import { errorEvent } from '../protocol/service-event.js'
import type { ClientDecisions } from './client-decisions.js'

export interface ClientFramesOptions {
  readonly registry: CallRegistry
  readonly decisions: ClientDecisions
  readonly toProvider: (data: Buffer, isBinary: boolean) => void
  /** Sends a refusal to the client; does nothing once the session is over. */
  readonly toClient: (event: string) => void
  readonly onResponseRequest: () => void
  /** The client has answered a call. */
  readonly onToolOutput: (callId: string) => void
}

/** What becomes of a client's frame that is not plain audio: it is forwarded, refused, or a decision on a call. */
export class ClientFrames {
  readonly #options: ClientFramesOptions

  constructor(options: ClientFramesOptions) {
    this.#options = options
  }

  handle(data: Buffer, isBinary: boolean): void {
    const { registry, toProvider } = this.#options
    const verdict = judgeClientFrame(data, isBinary, (callId) => registry.isClientCall(callId))
    switch (verdict.kind) {
      case 'refuse':
        this.#refuse(verdict.code, verdict.message, verdict.eventId)
        break
      case 'decide':
        void this.#decide(verdict)
        break
      case 'forward':
        toProvider(data, isBinary)
        this.#noteForwarded(verdict.event)
    }
  }

  #noteForwarded(event: ClientEvent): void {
    const { registry, onResponseRequest, onToolOutput } = this.#options
    if (event.type === 'tool-output') {
      registry.close(event.callId)
      onToolOutput(event.callId)
    }
    if (event.type === 'response.create') onResponseRequest()
  }

  async #decide(verdict: Extract<ClientFrameVerdict, { kind: 'decide' }>): Promise<void> {
    const { callId, decision, reason, eventId } = verdict
    const decided = await this.#options.decisions.decide({ callId, decision, reason })
    if (!decided.ok) this.#refuse(decided.code, decided.message, eventId)
  }

  #refuse(code: RefusalCode, message: string, eventId: string | null): void {
    this.#options.toClient(errorEvent(code, message, eventId))
  }
}
