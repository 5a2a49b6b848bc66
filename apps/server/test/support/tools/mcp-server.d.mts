/** How it answers calls: as a stream, as JSON, or as a resumable stream. */
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
