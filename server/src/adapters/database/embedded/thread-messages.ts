import type { MessagePort } from 'node:worker_threads'

/** What the database's thread is started with. */
export interface ThreadSettings {
  readonly directory: string
  /** Shared with the thread that watches it; see stall-watch.ts. */
  readonly activity: SharedArrayBuffer
  readonly lockTimeoutMilliseconds: number
  readonly idleTransactionMilliseconds: number
  readonly housekeepingMilliseconds: number
}

export type ToThread = { readonly type: 'connect'; readonly port: MessagePort } | { readonly type: 'stop' }

export type FromThread = { readonly type: 'ready' } | { readonly type: 'broken'; readonly reason: string }
