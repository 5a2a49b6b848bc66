import { listField, objectField, type ProviderEvent, textField } from '../protocol/provider-frame.js'

/** What one of the provider's events says of a tool call. The same call is named by up to five of them. */
export interface CallNews {
  readonly responseId: string
  readonly callId: string
  readonly name: string
  /** Named: its arguments are still coming. Complete: they are all there. Cut off: they never will be. */
  readonly news: 'named' | 'complete' | 'cut-off'
  readonly argumentsText: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads tool calls out of `response.*` events, and of these alone: a client can create items, but no responses.
 * Providers leave out a name here and an id there; what an earlier event said of the item fills the gap.
 */
export class CallReader {
  readonly #byItem = new Map<
    string,
    { readonly callId: string | undefined; readonly name: string | undefined }
  >()
  /** Calls of responses that are not done, and whether their arguments are complete. */
  readonly #open = new Map<string, Map<string, CallNews>>()

  read(event: ProviderEvent): readonly CallNews[] {
    switch (event.type) {
      case 'response.output_item.added':
        return this.#item(responseOf(event), objectField(event, 'item'), 'named')
      case 'response.function_call_arguments.done':
        return this.#arguments(event)
      case 'response.output_item.done':
        return this.#item(responseOf(event), objectField(event, 'item'), 'complete')
      case 'response.done':
        return this.#response(objectField(event, 'response'))
      default:
        return []
    }
  }

  #arguments(event: ProviderEvent): readonly CallNews[] {
    const itemId = textField(event, 'item_id') ?? ''
    const known = this.#byItem.get(itemId)
    const callId = textField(event, 'call_id') ?? known?.callId
    const name = textField(event, 'name') ?? known?.name
    if (callId === undefined || name === undefined) return []
    return [this.#note(responseOf(event), callId, name, 'complete', textField(event, 'arguments') ?? '')]
  }

  #item(responseId: string, item: Fields | undefined, news: 'named' | 'complete'): readonly CallNews[] {
    if (textField(item, 'type') !== 'function_call') return []
    const itemId = textField(item, 'id')
    const known = this.#byItem.get(itemId ?? '')
    const callId = textField(item, 'call_id') ?? known?.callId
    const name = textField(item, 'name') ?? known?.name
    if (itemId !== undefined) this.#byItem.set(itemId, { callId, name })
    if (callId === undefined || name === undefined) return []
    const isCutOff = news === 'complete' && textField(item, 'status') === 'incomplete'
    return [
      this.#note(responseId, callId, name, isCutOff ? 'cut-off' : news, textField(item, 'arguments') ?? ''),
    ]
  }

  /** The last word: whatever is not complete by now never will be. */
  #response(response: Fields | undefined): readonly CallNews[] {
    const responseId = textField(response, 'id') ?? ''
    const isWhole = textField(response, 'status') === 'completed'
    const told = listField(response, 'output').flatMap((item) =>
      this.#item(responseId, item, isWhole || this.#isComplete(responseId, item) ? 'complete' : 'named'),
    )
    const left = [...(this.#open.get(responseId)?.values() ?? [])].filter(({ news }) => news === 'named')
    this.#open.delete(responseId)
    return [...told.filter(({ news }) => news !== 'named'), ...left.map(cutOff)]
  }

  #isComplete(responseId: string, item: Fields): boolean {
    const callId = textField(item, 'call_id') ?? ''
    return this.#open.get(responseId)?.get(callId)?.news === 'complete'
  }

  #note(
    responseId: string,
    callId: string,
    name: string,
    news: CallNews['news'],
    argumentsText: string,
  ): CallNews {
    const call = { responseId, callId, name, news, argumentsText }
    const calls = this.#open.get(responseId) ?? new Map<string, CallNews>()
    // An item that is named again after its arguments came is complete all the same.
    if (news !== 'named' || !calls.has(callId)) calls.set(callId, call)
    this.#open.set(responseId, calls)
    return call
  }
}

const cutOff = (call: CallNews): CallNews => ({ ...call, news: 'cut-off' })

function responseOf(event: ProviderEvent): string {
  return textField(event, 'response_id') ?? ''
}
