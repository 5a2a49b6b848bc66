import type { SessionSetup } from '../../../ports/realtime-stores.js'
import { RecentIds } from '../../recent-ids.js'
import type {
  CallArgumentsEvent,
  OutputItem,
  ProviderEvent,
  ResponseDoneEvent,
} from '../protocol/provider-event.js'
import { responseKey } from './sequencer-state.js'

interface NamedItem {
  readonly callId: string | null
  readonly name: string | null
}

/** A tool call in an event of the provider. Up to five events describe the same call. */
export interface CallReport {
  readonly responseId: string
  readonly callId: string
  readonly name: string
  /**
   * `named`: the arguments are still being streamed. `complete`: the arguments are complete. `cut-off`: the
   * arguments will never be complete.
   */
  readonly progress: 'named' | 'complete' | 'cut-off'
  readonly argumentsText: string
}

/** A call as the model made it. */
export type MadeCall = Pick<CallReport, 'callId' | 'name' | 'argumentsText'>

/**
 * The maximum number of remembered items. Events that omit a field follow shortly after one that contains it.
 */
const maxRememberedItems = 1000
/**
 * The maximum length of stored arguments of incomplete calls. Providers send the arguments again when they
 * are complete.
 */
const maxNamedCharacters = 10_000

/**
 * Reads tool calls only from the output of responses, because clients can create items but not responses.
 * Providers sometimes omit names or ids. These are then taken from earlier events about the same item.
 */
export class CallReader {
  readonly #byItem = new Map<string, NamedItem>()
  /** Iterates over the items in insertion order. */
  readonly #oldestItem = this.#byItem.keys()
  /** The calls of unfinished responses, by response and call. */
  readonly #open = new Map<string, Map<string, CallReport>>()

  read(event: ProviderEvent): readonly CallReport[] {
    switch (event.type) {
      case 'output-item.added':
        return this.#readItem(responseKey(event), event.item, 'named')
      case 'call.arguments':
        return this.#readArguments(event)
      case 'output-item.done':
        return this.#readItem(responseKey(event), event.item, 'complete')
      case 'response.done':
        return this.#readResponse(event)
      default:
        return []
    }
  }

  #readArguments(event: CallArgumentsEvent): readonly CallReport[] {
    const { callId, name } = this.#completed(event)
    if (callId === null || name === null) return []
    return [
      this.#note({
        responseId: responseKey(event),
        callId,
        name,
        progress: 'complete',
        argumentsText: event.argumentsText,
      }),
    ]
  }

  #readItem(responseId: string, item: OutputItem, progress: 'named' | 'complete'): readonly CallReport[] {
    if (item.kind !== 'call') return []
    const { callId, name } = this.#completed(item)
    if (item.itemId !== null) this.#rememberItem(item.itemId, { callId, name })
    if (callId === null || name === null) return []
    const isCutOff = progress === 'complete' && item.status === 'incomplete'
    const { argumentsText } = item
    return [
      this.#note({ responseId, callId, name, progress: isCutOff ? 'cut-off' : progress, argumentsText }),
    ]
  }

  /** Reads the last event of a response. Calls that are still incomplete count as cut off. */
  #readResponse(event: ResponseDoneEvent): readonly CallReport[] {
    const responseId = responseKey(event)
    const isWhole = event.status === 'completed'
    const reported = event.output.flatMap((item) =>
      this.#readItem(responseId, item, isWhole || this.#isComplete(responseId, item) ? 'complete' : 'named'),
    )
    const open = [...(this.#open.get(responseId)?.values() ?? [])]
    this.#open.delete(responseId)
    return [
      ...reported.filter(({ progress }) => progress !== 'named'),
      ...open.filter(({ progress }) => progress === 'named').map(cutOff),
    ]
  }

  #isComplete(responseId: string, item: OutputItem): boolean {
    if (item.kind !== 'call' || item.callId === null) return false
    return this.#open.get(responseId)?.get(item.callId)?.progress === 'complete'
  }

  /**
   * Returns the id and the name of a call. If the event omits one of them, it is taken from an earlier event
   * about the same item.
   */
  #completed({ itemId, callId, name }: Pick<CallArgumentsEvent, 'itemId' | 'callId' | 'name'>) {
    const known = itemId === null ? undefined : this.#byItem.get(itemId)
    return { callId: callId ?? known?.callId ?? null, name: name ?? known?.name ?? null }
  }

  #rememberItem(itemId: string, item: NamedItem): void {
    this.#byItem.set(itemId, item)
    if (this.#byItem.size <= maxRememberedItems) return
    const oldest = this.#oldestItem.next()
    if (!oldest.done) this.#byItem.delete(oldest.value)
  }

  #note(report: CallReport): CallReport {
    const calls = this.#open.get(report.responseId) ?? new Map<string, CallReport>()
    // A call stays complete, even if a later event contains only its name.
    if (report.progress !== 'named' || !calls.has(report.callId)) calls.set(report.callId, remembered(report))
    this.#open.set(report.responseId, calls)
    return report
  }
}

const cutOff = (report: CallReport): CallReport => ({ ...report, progress: 'cut-off' })

/**
 * Returns the call to store until the response is done. The arguments of complete calls are dropped, because
 * they have been passed on.
 */
function remembered(report: CallReport): CallReport {
  const isKept = report.progress === 'named' && report.argumentsText.length <= maxNamedCharacters
  return isKept ? report : { ...report, argumentsText: '' }
}

/*
 * Determines which side answers a tool call. The client answers calls of the tools that it declared when it created the
 * session. The service answers all other calls, including those of tools that do not exist.
 *
 *   client call: open ──client's output forwarded, or call cut off──► over
 */
export class CallRegistry {
  readonly #clientToolNames: ReadonlySet<string>
  readonly #backendCalls = new RecentIds()
  readonly #clientCalls = new RecentIds()
  readonly #openClientCalls = new Set<string>()

  constructor(clientToolNames: readonly string[]) {
    this.#clientToolNames = new Set(clientToolNames)
  }

  get openClientCallCount(): number {
    return this.#openClientCalls.size
  }

  /** Returns whether the model has made this call and the client runs its tool. */
  isClientCall(callId: string): boolean {
    return this.#clientCalls.has(callId) && !this.#backendCalls.has(callId)
  }

  /** Stores a call. Returns its owner, and whether it is new. */
  learn(callId: string, toolName: string): { readonly owner: 'client' | 'backend'; readonly isNew: boolean } {
    const isClients = this.#clientToolNames.has(toolName)
    const known = isClients ? this.#clientCalls : this.#backendCalls
    const isNew = !known.has(callId)
    known.add(callId)
    if (isClients && isNew) this.#openClientCalls.add(callId)
    return { owner: isClients ? 'client' : 'backend', isNew }
  }

  /**
   * Called when the client has answered a call, or when the call was cut off. Returns false if the call was
   * not open.
   */
  close(callId: string): boolean {
    return this.#openClientCalls.delete(callId)
  }
}

/** The tools that the client has declared and runs itself. */
export function clientToolNames({ tools, backendTools }: SessionSetup): string[] {
  const ours = new Set(backendTools.map(({ name }) => name))
  return tools.map(({ name }) => name).filter((name) => !ours.has(name))
}
