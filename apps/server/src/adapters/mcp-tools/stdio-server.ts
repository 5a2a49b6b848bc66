import { StringDecoder } from 'node:string_decoder'
import type { Log } from '../../ports/log.js'
import type { Timers } from '../../ports/time.js'
import { concealerOf } from '../secret-redaction/conceal-secrets.js'
import type { ServerTransport } from './connection.js'
import { type StdioServer, StdioTransport } from './stdio-transport.js'

/** What the operator offers, by name. */
export type StdioServers = Readonly<Record<string, StdioServer>>

const secretName = /key|token|secret|password|credential|auth/i

const maxMessageBytes = 8 * 1024 * 1024
const graceMilliseconds = 2000
const maxLineLength = 2000

/** The values of the operator's variables that are secrets by their names; others may be part of every output. */
export function secretsOf({ env }: StdioServer): string[] {
  return Object.entries(env).flatMap(([name, value]) => (secretName.test(name) ? [value] : []))
}

export interface StdioServerOptions {
  readonly timers: Timers
  readonly log: Log
  readonly name: string
  readonly server: StdioServer
}

/** A process of the operator's choice. What it writes to its standard error goes to our log. */
export function makeStdioTransport({ timers, log, name, server }: StdioServerOptions): ServerTransport {
  const conceal = concealerOf(secretsOf(server))
  const onStderr = makeLineReader((line) =>
    log.debug({ mcpServer: name, line: conceal(line) }, 'an MCP server wrote to its log'),
  )
  const transport = new StdioTransport({ timers, server, maxMessageBytes, graceMilliseconds, onStderr })
  return { transport }
}

/** Cuts what a process writes into lines; of a very long line only the beginning is kept. */
function makeLineReader(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return (chunk) => {
    const lines = `${rest}${decoder.write(chunk)}`.split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(0, maxLineLength)
    for (const line of lines) if (line.trim() !== '') onLine(line.slice(0, maxLineLength))
  }
}
