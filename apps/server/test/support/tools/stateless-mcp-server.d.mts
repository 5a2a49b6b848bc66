export interface StatelessMcpServer {
  readonly url: string
  close(): Promise<void>
}

export function startStatelessMcpServer(options?: {
  readonly legacy?: 'reject' | 'stateless'
  readonly methods?: string[]
}): Promise<StatelessMcpServer>

/** A server with its tools, as the official library wants it. */
export function makeShopServer(): unknown
