import { z } from 'zod'

/** A stdio MCP server that agents can use by name. */
export interface McpServerCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export type McpServers = Readonly<Record<string, McpServerCommand>>

const serverName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const variableName = z.string().regex(/^[^=]+$/)

const badName: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_key' ? 'is not a valid name' : undefined

const server = z.strictObject({
  command: z.string().min(1, 'is empty'),
  args: z.array(z.string()).default([]),
  env: z.record(variableName, z.string(), { error: badName }).default({}),
})

const servers = z.record(serverName, server, {
  error: (issue) => badName(issue) ?? 'is not a JSON object',
})

export const mcpServers = z
  .string()
  .transform(parseJson)
  .pipe(servers)
  .transform(withoutPrototype)
  .describe(
    'JSON: { "name": { "command": "…", "args": ["…"], "env": { "NAME": "…" } } }, name of 1 to 64 letters, digits, _ or -, args and env optional',
  )

/** Discards the parser's own error, because it quotes the text, which may contain secrets. */
function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue('is not valid JSON')
    return z.NEVER
  }
}

/** Removes the prototype, because agents' server names such as "constructor" must not find inherited properties. */
function withoutPrototype(byName: McpServers): McpServers {
  return Object.assign(Object.create(null), byName)
}
