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

/** What a server writes down of what it is asked, over all its lives. */
export interface Trace {
  readonly file: string
  lines(): Promise<string[]>
  /** How often a line stands there. */
  count(line: string): Promise<number>
}

export interface McpHttpServer {
  readonly port: number
  readonly target: McpServerTarget
  /** As a crash does it. */
  kill(): Promise<void>
  /** Makes it forget its sessions and go on. */
  forgetSessions(): void
}

/** No two servers over HTTP are taken for the same process. */
let lastId = 0

export interface McpFixture {
  trace(): Promise<Trace>
  startHttpServer(trace: Trace, options?: { port?: number; mode?: HttpMode }): Promise<McpHttpServer>
  /** The server over stdio, as the operator would write it down. */
  stdioServer(trace: Trace, env?: Record<string, string>): McpToolExecutorOptions['stdioServers']
  executor(options?: Partial<McpToolExecutorOptions>): McpToolExecutor
  /** The fields of all that was logged. */
  readonly logged: readonly { readonly level: string; readonly fields: object }[]
}

/** Servers and executors that are gone after each test of the file, or at the end of its group. */
export function useMcp(atEnd: typeof afterEach | typeof afterAll = afterEach): McpFixture {
  const opened: (() => Promise<unknown>)[] = []
  const logged: { level: string; fields: object }[] = []
  const write = (level: string) => (fields: object) => void logged.push({ level, fields })
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }

  atEnd(async () => {
    // The executors, which were made last, go first.
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

/** For `expect.poll`: a condition that will come, however busy the machine is. */
export const eventually = { timeout: 60_000 }

/**
 * Whether a process that we have started is gone for good, with all it had open. Its first thread may have ended
 * before the others, and until those have ended too, what is written to it is still accepted.
 */
export function isGone(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return false
  } catch {
    return true
  }
}
