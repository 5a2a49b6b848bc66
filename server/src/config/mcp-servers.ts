import { z } from 'zod'
import { accepted, type Parser, refused } from './parser.js'

/** A stdio MCP server that the operator offers by name. */
export interface McpServerCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export type McpServers = Readonly<Record<string, McpServerCommand>>

const serverName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const variableName = z.string().regex(/^[^=]+$/)

const serverSchema = z.strictObject({
  command: z.string().min(1, 'is empty'),
  args: z.array(z.string()).default([]),
  env: z.record(variableName, z.string()).default({}),
})

const serversSchema = z.record(serverName, serverSchema)

export const mcpServers: Parser<McpServers> = {
  accepts:
    'JSON: { "name": { "command": "…", "args": ["…"], "env": { "NAME": "…" } } }, name of 1 to 64 letters, digits, _ or -, args and env optional',
  parse: (text) => {
    const json = parseJson(text)
    if (json === undefined) return refused('is not valid JSON')
    const parsed = serversSchema.safeParse(json)
    if (!parsed.success) return refused(...parsed.error.issues.map(describeIssue))
    return accepted(withoutPrototype(parsed.data))
  },
}

/** The parser's own error is dropped because it quotes the text, which may hold secrets. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.path.length === 0) return 'is not a JSON object'
  const path = issue.path.map(pathPart).join('.')
  if (issue.code === 'invalid_key') return `at ${path}: is not a good name`
  return `at ${path}: ${issue.message.replace(/^Invalid input: /, '')}`
}

function pathPart(part: PropertyKey): string {
  const text = String(part)
  return /^[\w-]+$/.test(text) ? text : JSON.stringify(text)
}

/** An agent's server name is looked up here: "constructor" must find nothing that every object inherits. */
function withoutPrototype(servers: McpServers): McpServers {
  return Object.assign(Object.create(null), servers)
}
