import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type afterAll, afterEach } from 'vitest'
import {
  type McpToolExecutorOptions,
  makeMcpToolExecutor,
} from '#server/adapters/mcp-tools/mcp-tool-executor.js'
import { makeOutbound } from '#server/adapters/outbound/outbound.js'
import { systemTimers } from '#server/adapters/system/timers.js'
import type { McpServerTarget, McpToolExecutor } from '#server/ports/tool-executor.js'
import { type HttpMode, startMcpHttpServer } from './mcp-server.mjs'

const script = fileURLToPath(new URL('./mcp-server.mjs', import.meta.url))

/** The requests that a server recorded, including those before its restarts. */
export interface Trace {
  readonly file: string
  lines(): Promise<string[]>
  /** Returns how often a line occurs. */
  count(line: string): Promise<number>
}

export interface McpHttpServer {
  readonly port: number
  readonly target: McpServerTarget
  /** Ends the server like a crash. */
  kill(): Promise<void>
  /** Discards its sessions and keeps running. */
  forgetSessions(): void
}

/** Gives every HTTP server a distinct process id. */
let lastId = 0

export interface McpFixture {
  trace(): Promise<Trace>
  startHttpServer(trace: Trace, options?: { port?: number; mode?: HttpMode }): Promise<McpHttpServer>
  /** The settings of the stdio server, as an operator would write them. */
  stdioServer(trace: Trace, env?: Record<string, string>): McpToolExecutorOptions['stdioServers']
  executor(options?: Partial<McpToolExecutorOptions>): McpToolExecutor
  /** The level and fields of every log entry. */
  readonly logged: readonly { readonly level: string; readonly fields: object }[]
}

/** Starts MCP servers and executors. They are closed after each test, or at the end of the group. */
export function useMcp(atEnd: typeof afterEach | typeof afterAll = afterEach): McpFixture {
  const opened: (() => Promise<unknown>)[] = []
  const logged: { level: string; fields: object }[] = []
  const write = (level: string) => (fields: object) => void logged.push({ level, fields })
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }

  atEnd(async () => {
    // Closes in reverse order, so executors close before their servers.
    for (const close of opened.splice(0).reverse()) await close()
    logged.length = 0
  })

  return {
    logged,
    async trace() {
      const folder = await mkdtemp(join(tmpdir(), 'parley-mcp-'))
      opened.push(() => rm(folder, { recursive: true }))
      const file = join(folder, 'trace')
      const lines = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
      return { file, lines, count: async (line) => (await lines()).filter((each) => each === line).length }
    },
    async startHttpServer(trace, { port = 0, mode = 'stream' } = {}) {
      lastId += 1
      const server = await startMcpHttpServer({ traceFile: trace.file, port, mode, id: lastId })
      opened.push(server.kill)
      return { ...server, target: targetAt(`http://127.0.0.1:${server.port}/mcp`) }
    },
    stdioServer: (trace, env = {}) => ({
      local: { command: process.execPath, args: [script, trace.file], env },
    }),
    executor(options = {}) {
      const outbound = makeOutbound({ allowedPrivateHosts: ['127.0.0.1'] })
      const executor = makeMcpToolExecutor({
        outbound,
        timers: systemTimers,
        stdioServers: {},
        log,
        version: '1.2.3',
        ...options,
      })
      opened.push(async () => {
        await executor.close()
        await outbound.close()
      })
      return executor
    },
  }
}

export function targetAt(url: string, headers: Readonly<Record<string, string>> = {}): McpServerTarget {
  return { organizationId: 'one', url, name: null, headers }
}

export const local: McpServerTarget = { organizationId: 'one', url: null, name: 'local', headers: {} }

/** For `expect.poll` with conditions that hold eventually, even on a busy machine. */
export const eventually = { timeout: 60_000 }

/**
 * Returns whether a process that this test started has ended, with all its threads. The main thread may end
 * before the others, and until they end, writes to the process still succeed.
 */
export function isGone(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return false
  } catch {
    return true
  }
}
