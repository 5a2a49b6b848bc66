import { StringDecoder } from 'node:string_decoder'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'
import { concealerOf } from '../secret-redaction/conceal-secrets.js'
import type { ServerTransport } from './connection.js'
import { type StdioServer, StdioTransport } from './stdio-transport.js'

/** The operator's servers by name. */
export type StdioServers = Readonly<Record<string, StdioServer>>

const secretName = /key|token|secret|password|credential|auth/i

const maxMessageBytes = 8 * 1024 * 1024
const graceMilliseconds = 2000
const maxLineLength = 2000

/** The values of variables whose names suggest secrets. Other values may legitimately occur in outputs. */
export function secretsOf({ env }: StdioServer): string[] {
  return Object.entries(env).flatMap(([name, value]) => (secretName.test(name) ? [value] : []))
}

export interface StdioServerOptions {
  readonly timers: Timers
  readonly log: Log
  readonly name: string
  readonly server: StdioServer
}

/** A process that the operator configured. Its standard error is written to our log. */
export function makeStdioTransport({ timers, log, name, server }: StdioServerOptions): ServerTransport {
  const conceal = concealerOf(secretsOf(server))
  const onStderr = makeLineReader((line) =>
    log.debug({ mcpServer: name, line: conceal(line) }, 'an MCP server wrote to standard error'),
  )
  const transport = new StdioTransport({ timers, server, maxMessageBytes, graceMilliseconds, onStderr })
  return { transport }
}

/** Splits a process's output into lines. Only the start of a very long line is kept. */
function makeLineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return (chunk) => {
    const lines = `${rest}${decoder.write(chunk)}`.split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(0, maxLineLength)
    for (const line of lines) if (line.trim() !== '') onLine(line.slice(0, maxLineLength))
  }
}
