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

export type ToThread =
  | { readonly type: 'connect'; readonly port: MessagePort }
  | { readonly type: 'dump'; readonly port: MessagePort }
  | { readonly type: 'stop' }

/** What comes back on the port of a dump: the data directory as a tar archive, or why there is none. */
export type DumpReply =
  | { readonly ok: true; readonly archive: ArrayBuffer }
  | { readonly ok: false; readonly reason: string }

export type FromThread = { readonly type: 'ready' } | { readonly type: 'broken'; readonly reason: string }
