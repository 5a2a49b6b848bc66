/** What the load goes through. */
export interface Target {
  readonly name: string
  /** Starts it in front of a provider at this HTTP address; where that one speaks TLS, `certificateFile` has its authority. */
  start(providerUrl: string, certificateFile?: string): Promise<RunningTarget>
}

export interface RunningTarget {
  /** The processes whose time and memory count. */
  readonly pids: readonly number[]
  /** The address of one more session. */
  sessionUrl(): Promise<string>
  stop(): Promise<void>
}

/** Where a provider's realtime endpoint is. */
export const realtimeUrl = (providerUrl: string) => `${providerUrl.replace('http', 'ws')}/realtime`

/** Has a process of Node trust one more authority. */
export const trust = (certificateFile: string | undefined): Readonly<Record<string, string>> =>
  certificateFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificateFile }
