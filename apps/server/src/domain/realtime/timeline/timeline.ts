import type { RealtimeExchangeTool } from '@parley/contract'
import { BoundedMap } from '../../../concurrency/bounded-map.js'
import type { ExchangeRecord } from '../../../ports/realtime-stores.js'
import { RecentIds } from '../../recent-ids.js'
import { storable } from '../../storable-text.js'
import type { EchoedItem, ProviderEvent } from '../protocol/provider-event.js'

/** The maximum number of stored exchanges per session, of tools per exchange, and of tool names. */
export const maxExchanges = 500
const maxTools = 32
const maxNameCharacters = 200
/** The maximum number of remembered open calls. A client may never answer its calls. */
const maxOpenCalls = 200

export type StartedTool = Pick<RealtimeExchangeTool, 'callId' | 'name' | 'runBy'>

interface RunningTool {
  readonly exchange: Draft
  readonly tool: RealtimeExchangeTool
  /** The number of pending decisions, and the start of the wait. A sub-agent may have several. */
  awaited: number
  awaitedSince: number
}

type Draft = Omit<{ -readonly [Field in keyof ExchangeRecord]: ExchangeRecord[Field] }, 'tools'> & {
  readonly tools: RealtimeExchangeTool[]
}

/*
 * Records when each exchange of a session began and ended. An exchange is spoken or typed input and its answer.
 *
 *   none ──response created──► answering ──done, without calls──► over: stored
 *                               │     ▲
 *                  done, with calls   response created
 *                               ▼     │
 *                              calling
 *
 * When a response to new input is created, the previous exchange ends and a new one begins. A response with calls is
 * followed by another response in the same exchange. If a call outlives its exchange, the exchange is stored again when
 * the call ends.
 *
 * Each method takes the time of its event, and returns the exchanges to store. Offsets never decrease.
 */
export class Timeline {
  readonly #startedAt: number
  readonly #typedItemIds = new RecentIds()
  readonly #callIds = new RecentIds()
  readonly #openCalls = new BoundedMap<string, RunningTool>(maxOpenCalls)
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
    this.noteReplayed(replayedItemIds)
  }

  /** Called before a provider echoes these items of the history. */
  noteReplayed(itemIds: readonly string[]): void {
    for (const itemId of itemIds) this.#typedItemIds.add(itemId)
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

  /** Called at the first audio of each response. */
  observeAudio(at: number): void {
    if (this.#current !== null && this.#phase === 'answering') this.#current.firstAudioAt ??= this.#offset(at)
  }

  /** May be called repeatedly for the same call. */
  startCall({ callId, name, runBy }: StartedTool, at: number): void {
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
  }

  /** Called when a call starts or stops waiting for approval. */
  setAwaitingApproval(callId: string, isAwaited: boolean, at: number): void {
    const call = this.#openCalls.get(callId)
    if (call === undefined || (!isAwaited && call.awaited === 0)) return
    if (call.awaited === 0) call.awaitedSince = this.#offset(at)
    call.awaited += isAwaited ? 1 : -1
    if (call.awaited === 0) call.tool.waitedForApprovalMs += this.#offset(at) - call.awaitedSince
  }

  endCall(callId: string, at: number): readonly ExchangeRecord[] {
    const call = this.#openCalls.get(callId)
    if (call === undefined) return []
    while (call.awaited > 0) this.setAwaitingApproval(callId, false, at)
    this.#openCalls.delete(callId)
    call.tool.endedAt = this.#offset(at)
    const isStored = call.exchange !== this.#current
    return isStored && call.exchange.number > this.#begun - maxExchanges ? [copyOf(call.exchange)] : []
  }

  /** Ends the current exchange, and an exchange whose input was never answered. */
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

  /** Returns whether this is the current response. A missing id matches. */
  #isCurrent(responseId: string | null): boolean {
    if (this.#current === null || this.#phase !== 'answering') return false
    return responseId === null || this.#responseId === null || responseId === this.#responseId
  }

  /** Providers echo an item up to three times, and echo the replayed history at the start. */
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

/** Returns a copy, because the exchange must not change while it is being written. */
function copyOf(exchange: Draft): ExchangeRecord {
  return { ...exchange, tools: exchange.tools.map((tool) => ({ ...tool })) }
}
