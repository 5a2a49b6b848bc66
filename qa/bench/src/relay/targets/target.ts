/** A relay that the load passes through. */
export interface Target {
  readonly name: string
  /**
   * Starts the relay in front of a provider at this HTTP address. If the provider speaks TLS,
   * `certificateFile` has its certificate authority.
   */
  start(providerUrl: string, certificateFile?: string): Promise<RunningTarget>
}

export interface RunningTarget {
  /** The processes whose time and memory are measured. */
  readonly pids: readonly number[]
  /** Returns the URL of a new session. */
  sessionUrl(): Promise<string>
  stop(): Promise<void>
}

/** Returns the URL of a provider's realtime endpoint. */
export const realtimeUrl = (providerUrl: string) => `${providerUrl.replace('http', 'ws')}/realtime`

/** Returns the environment that makes a Node process trust another certificate authority. */
export const trust = (certificateFile: string | undefined): Readonly<Record<string, string>> =>
  certificateFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificateFile }
