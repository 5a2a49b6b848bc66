import { AsyncLocalStorage } from 'node:async_hooks'

/** By which names log lines say what they are a part of. */
export interface TraceIds {
  readonly traceId: string
  readonly spanId: string
}

/** The span in whose work the caller is; nobody puts one in where nothing is traced. */
export const currentTrace = new AsyncLocalStorage<TraceIds | null>()

/** What a log line gets besides its own fields; they are added to the object that this returns. */
export function traceIdsForLog(): object {
  return { ...currentTrace.getStore() }
}
