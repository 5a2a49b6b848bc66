import { type ClientTools, runTool } from './client-tools.js'
import type { CallArguments, SessionEvent } from './session-event.js'
import type { ToolCall } from './tool-calls.js'

export interface ClientCallsOptions {
  readonly tools: ClientTools
  readonly send: (message: object) => void
  readonly requestResponse: () => void
  readonly onCall: (call: ToolCall) => void
}

interface Batch {
  readonly open: Set<string>
  isResponseDone: boolean
  isCancelled: boolean
}

/**
 * The calls of one session that this client answers. All calls of a response are answered before the next response is
 * requested, once. If the response was cancelled, the user is speaking, and their words trigger the next one.
 */
export class ClientCalls {
  readonly #options: ClientCallsOptions
  readonly #batches = new Map<string, Batch>()
  readonly #answered = new Set<string>()
  readonly #end = new AbortController()

  constructor(options: ClientCallsOptions) {
    this.#options = options
  }

  handle(event: SessionEvent): void {
    if (event.type === 'call.arguments') this.#begin(event)
    if (event.type !== 'response.done' || event.responseId === null) return
    const batch = this.#batches.get(event.responseId)
    if (batch === undefined) return
    batch.isResponseDone = true
    batch.isCancelled = event.status === 'cancelled'
    this.#settle(event.responseId, batch)
  }

  close(): void {
    this.#end.abort(new Error('The session has ended.'))
  }

  #begin(event: CallArguments): void {
    const { callId, name, argumentsText } = event
    const tool = Object.hasOwn(this.#options.tools, name) ? this.#options.tools[name] : undefined
    if (tool === undefined || this.#answered.has(callId)) return
    this.#answered.add(callId)
    const responseId = event.responseId ?? callId
    const batch = this.#batches.get(responseId) ?? {
      open: new Set(),
      // If the provider does not say which response a call belongs to, the client cannot wait for it.
      isResponseDone: event.responseId === null,
      isCancelled: false,
    }
    this.#batches.set(responseId, batch)
    batch.open.add(callId)
    const call: ToolCall = {
      callId,
      name,
      title: name,
      imageUrl: null,
      argumentsText,
      isOfClient: true,
      status: 'running',
      text: null,
      button: null,
    }
    this.#options.onCall(call)
    const sessionEnd = this.#end.signal
    void runTool(tool, { callId, argumentsText, sessionEnd }).then(({ ok, output }) => {
      if (sessionEnd.aborted) return
      this.#options.onCall({ ...call, status: ok ? 'done' : 'failed', text: output })
      const item = { type: 'function_call_output', call_id: callId, output }
      this.#options.send({ type: 'conversation.item.create', item })
      batch.open.delete(callId)
      this.#settle(responseId, batch)
    })
  }

  #settle(responseId: string, batch: Batch): void {
    if (!batch.isResponseDone || batch.open.size > 0) return
    this.#batches.delete(responseId)
    if (!batch.isCancelled) this.#options.requestResponse()
  }
}
