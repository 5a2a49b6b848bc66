/** How it answers calls: in a stream, at once as JSON, or in a stream that can be taken up again. */
export type HttpMode = 'stream' | 'json' | 'resumable'

export interface StartedMcpServer {
  readonly port: number
  forgetSessions(): void
  kill(): Promise<void>
}

export function startMcpHttpServer(options: {
  readonly traceFile: string
  readonly port: number
  readonly mode: HttpMode
  readonly id: number
}): Promise<StartedMcpServer>
