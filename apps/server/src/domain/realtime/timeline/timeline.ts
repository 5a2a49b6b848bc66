import type { RealtimeExchangeTool } from '@parley/contract'
import type { ExchangeRecord } from '../../../ports/realtime-exchange-store.js'
import { RecentIds } from '../../recent-ids.js'
import { storable } from '../../storable-text.js'
import type { EchoedItem, ProviderEvent } from '../protocol/provider-event.js'

/** So many exchanges of a session are kept, so many tools of one, and so many characters of the names that others choose. */
export const maxExchanges = 500
const maxTools = 32
const maxNameCharacters = 200
/** A client may never answer its calls: of those that are open so many are remembered. */
const maxOpenCalls = 200

export interface StartedCall {
  readonly callId: string
  readonly name: string
  readonly runBy: RealtimeExchangeTool['runBy']
}

interface OpenCall {
  readonly exchange: Draft
  readonly tool: RealtimeExchangeTool
  /** How many of its decisions are waited for (a sub-agent may have several), and since when. */
  awaited: number
  awaitedSince: number
}

type Draft = Omit<{ -readonly [Field in keyof ExchangeRecord]: ExchangeRecord[Field] }, 'tools'> & {
  readonly tools: RealtimeExchangeTool[]
}

/*
 * When what happened in the exchanges of a session: something said or typed, and the answer to it.
 *
 *   none ──response created──► answering ──done, without calls──► over: stored
 *                               │     ▲
 *                  done, with calls   response created
 *                               ▼     │
 *                              calling
 *
 * What is said or typed waits until a response is created: then the exchange begins, and the one before is over. A response
 * that makes calls is followed by another one, with the outputs, which belongs to the same exchange. A call may outlive its
 * exchange, which is stored once more when the call ends.
 *
 * Each method takes the moment at which it happened and returns the exchanges to be stored. Offsets never go back.
 */
export class Timeline {
  readonly #startedAt: number
  readonly #typedItemIds = new RecentIds()
  readonly #callIds = new RecentIds()
  readonly #openCalls = new Map<string, OpenCall>()
  #current: Draft | null = null
  #phase: 'answering' | 'calling' = 'answering'
  #responseId: string | null = null
  #hasCalled = false
  #speechStoppedAt: number | null = null
  #typedAt: number | null = null
  #begun = 0
  #latestOffset = 0

  constructor(startedAt: number, replayedItemIds: readonly string[]) {
    this.#startedAt = startedAt
    for (const itemId of replayedItemIds) this.#typedItemIds.add(itemId)
  }

  observe(event: ProviderEvent, at: number): readonly ExchangeRecord[] {
    switch (event.type) {
      case 'speech.committed':
        this.#speechStoppedAt = this.#offset(at)
        return []
      case 'item.echoed':
        if (this.#isTyped(event.item)) this.#typedAt = this.#offset(at)
        return []
      case 'response.created':
        return event.isOutOfBand ? [] : this.#beginResponse(event.responseId, at)
      case 'assistant.delta':
      case 'assistant.done':
        if (this.#current !== null && this.#isCurrent(event.responseId))
          this.#current.firstTokenAt ??= this.#offset(at)
        return []
      case 'response.done':
        return this.#isCurrent(event.responseId) ? this.#endResponse(event.status, at) : []
      default:
        return []
    }
  }

  /** Audio of an answer has come: called for the first of each response, since nothing is done for every frame. */
  observeAudio(at: number): void {
    if (this.#current !== null && this.#phase === 'answering') this.#current.firstAudioAt ??= this.#offset(at)
  }

  /** The same call may be told of more than once. */
  startCall({ callId, name, runBy }: StartedCall, at: number): void {
    const exchange = this.#current
    if (exchange === null || this.#callIds.has(callId)) return
    this.#callIds.add(callId)
    this.#hasCalled = true
    if (exchange.tools.length === maxTools) return
    const tool = {
      callId: bounded(callId),
      name: bounded(name),
      runBy,
      startedAt: this.#offset(at),
      endedAt: null,
      waitedForApprovalMs: 0,
    }
    exchange.tools.push(tool)
    this.#openCalls.set(callId, { exchange, tool, awaited: 0, awaitedSince: 0 })
    const [oldest] = this.#openCalls.keys()
    if (this.#openCalls.size > maxOpenCalls && oldest !== undefined) this.#openCalls.delete(oldest)
  }

  /** A call begins to wait for a person, or waits no longer. */
  awaitPerson(callId: string, isAwaited: boolean, at: number): void {
    const call = this.#openCalls.get(callId)
    if (call === undefined || (!isAwaited && call.awaited === 0)) return
    if (call.awaited === 0) call.awaitedSince = this.#offset(at)
    call.awaited += isAwaited ? 1 : -1
    if (call.awaited === 0) call.tool.waitedForApprovalMs += this.#offset(at) - call.awaitedSince
  }

  endCall(callId: string, at: number): readonly ExchangeRecord[] {
    const call = this.#openCalls.get(callId)
    if (call === undefined) return []
    while (call.awaited > 0) this.awaitPerson(callId, false, at)
    this.#openCalls.delete(callId)
    call.tool.endedAt = this.#offset(at)
    const isStored = call.exchange !== this.#current
    return isStored && call.exchange.number > this.#begun - maxExchanges ? [copyOf(call.exchange)] : []
  }

  /** The session is over: so is what was under way, and what was said and never answered. */
  end(at: number): readonly ExchangeRecord[] {
    const cut = this.#current === null ? [] : [this.#close(this.#current, 'interrupted', at)]
    return this.#hasInput ? [...cut, this.#close(this.#begin(), 'interrupted', at)] : cut
  }

  get #hasInput(): boolean {
    return this.#speechStoppedAt !== null || this.#typedAt !== null
  }

  #beginResponse(responseId: string | null, at: number): readonly ExchangeRecord[] {
    const cut =
      this.#current !== null && this.#hasInput ? [this.#close(this.#current, 'interrupted', at)] : []
    this.#current ??= this.#begin()
    this.#current.responseCreatedAt ??= this.#offset(at)
    this.#phase = 'answering'
    this.#responseId = responseId
    this.#hasCalled = false
    return cut
  }

  #endResponse(status: string | null, at: number): readonly ExchangeRecord[] {
    if (this.#current === null) return []
    const ended = statusOf(status)
    if (ended !== 'completed' || !this.#hasCalled) return [this.#close(this.#current, ended, at)]
    this.#phase = 'calling'
    return []
  }

  #begin(): Draft {
    this.#begun += 1
    const input = { speechStoppedAt: this.#speechStoppedAt, typedAt: this.#typedAt }
    this.#speechStoppedAt = null
    this.#typedAt = null
    return {
      number: this.#begun,
      ...input,
      responseCreatedAt: null,
      firstTokenAt: null,
      firstAudioAt: null,
      tools: [],
      doneAt: this.#latestOffset,
      status: 'interrupted',
    }
  }

  #close(exchange: Draft, status: ExchangeRecord['status'], at: number): ExchangeRecord {
    exchange.doneAt = this.#offset(at)
    exchange.status = status
    this.#current = null
    return copyOf(exchange)
  }

  /** Whether that is the response under way; where one of the two has no id, it is taken to be. */
  #isCurrent(responseId: string | null): boolean {
    if (this.#current === null || this.#phase !== 'answering') return false
    return responseId === null || this.#responseId === null || responseId === this.#responseId
  }

  /** An item is echoed up to three times, and the history at the start. */
  #isTyped(item: EchoedItem): boolean {
    if (item.kind !== 'user-message' || this.#typedItemIds.has(item.itemId)) return false
    this.#typedItemIds.add(item.itemId)
    return item.parts.some(({ kind }) => kind === 'typed')
  }

  #offset(at: number): number {
    this.#latestOffset = Math.max(this.#latestOffset, Math.round(at - this.#startedAt))
    return this.#latestOffset
  }
}

function statusOf(responseStatus: string | null): ExchangeRecord['status'] {
  if (responseStatus === 'cancelled') return 'interrupted'
  return responseStatus === 'failed' || responseStatus === 'incomplete' ? 'failed' : 'completed'
}

const bounded = (text: string) => storable(text.slice(0, maxNameCharacters))

/** What is stored does not change under the one who stores it. */
function copyOf(exchange: Draft): ExchangeRecord {
  return { ...exchange, tools: exchange.tools.map((tool) => ({ ...tool })) }
}
