export interface StatelessMcpServer {
  readonly url: string
  close(): Promise<void>
}

export function startStatelessMcpServer(options?: {
  readonly legacy?: 'reject' | 'stateless'
  readonly methods?: string[]
}): Promise<StatelessMcpServer>

/** Creates a server with its tools for the official library. */
export function makeShopServer(): unknown
