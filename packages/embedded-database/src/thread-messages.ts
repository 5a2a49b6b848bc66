import type { MessagePort } from 'node:worker_threads'

export interface ThreadSettings {
  readonly directory: string
  /** Shared with the thread that watches for a stall. See stall-watch.ts. */
  readonly activity: SharedArrayBuffer
}

export type ToThread =
  | { readonly type: 'connect'; readonly port: MessagePort }
  | { readonly type: 'dump'; readonly port: MessagePort }
  | { readonly type: 'stop' }

/** The reply on the port of a dump: the data directory as a tar archive, or the reason why there is none. */
export type DumpReply =
  | { readonly ok: true; readonly archive: ArrayBuffer }
  | { readonly ok: false; readonly reason: string }

export type FromThread = { readonly type: 'ready' } | { readonly type: 'broken'; readonly reason: string }
