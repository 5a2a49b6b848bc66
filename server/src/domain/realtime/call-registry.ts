import { listField, objectField, type ProviderEvent, textField } from './provider-frame.js'

/*
 * Which tool calls a session knows of, and whose they are.
 *
 *   response.* names a call ──► backend: only the service may answer it
 *                           └─► client:  open ──the client's output passes──► answered
 *
 * Calls are learnt from `response.*` events alone: a client can create items, but no responses.
 */
export class CallRegistry {
  readonly #backendNames: ReadonlySet<string>
  readonly #nameByItem = new Map<string, string>()
  readonly #backendCalls = new Set<string>()
  readonly #openClientCalls = new Set<string>()
  readonly #answeredClientCalls = new Set<string>()

  constructor(backendToolNames: readonly string[]) {
    this.#backendNames = new Set(backendToolNames)
  }

  get hasOpenClientCall(): boolean {
    return this.#openClientCalls.size > 0
  }

  isBackendCall(callId: string): boolean {
    return this.#backendCalls.has(callId)
  }

  observe(event: ProviderEvent): void {
    if (event.type === 'response.output_item.added' || event.type === 'response.output_item.done')
      this.#learnItem(objectField(event, 'item'))
    if (event.type === 'response.done')
      for (const item of listField(objectField(event, 'response'), 'output')) this.#learnItem(item)
    if (event.type === 'response.function_call_arguments.done') {
      const name = textField(event, 'name') ?? this.#nameByItem.get(textField(event, 'item_id') ?? '')
      this.#learn(textField(event, 'call_id'), name)
    }
  }

  /** The client has answered a call. Only an open one is its to answer, and is worth remembering. */
  answered(callId: string): void {
    if (this.#openClientCalls.delete(callId)) this.#answeredClientCalls.add(callId)
  }

  #learnItem(item: Readonly<Record<string, unknown>> | undefined): void {
    if (textField(item, 'type') !== 'function_call') return
    const name = textField(item, 'name')
    const itemId = textField(item, 'id')
    if (itemId !== undefined && name !== undefined) this.#nameByItem.set(itemId, name)
    const callId = textField(item, 'call_id')
    this.#learn(callId, name)
    // Cut off in the middle of its arguments: nobody will answer it.
    if (textField(item, 'status') === 'incomplete' && callId !== undefined)
      this.#openClientCalls.delete(callId)
  }

  #learn(callId: string | undefined, name: string | undefined): void {
    if (callId === undefined || name === undefined) return
    if (this.#backendNames.has(name)) this.#backendCalls.add(callId)
    else if (!this.#answeredClientCalls.has(callId)) this.#openClientCalls.add(callId)
  }
}
