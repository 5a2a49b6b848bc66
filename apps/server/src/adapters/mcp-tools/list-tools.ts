import type { Client, Tool } from '@modelcontextprotocol/client'
import type { McpToolDescription } from '../../ports/tool-executor.js'
import { type Concealer, concealBeginning } from '../secret-redaction/conceal-secrets.js'

/** A limit for servers whose list never ends. */
const maxPages = 100
/** The size limits for a server's list, because every session of the agent contains the whole list. */
const maxTools = 500
const maxListCharacters = 1024 * 1024
const maxToolCharacters = 64 * 1024
const maxNameCharacters = 256
const maxDescriptionCharacters = 8 * 1024

export interface ListOptions {
  readonly signal: AbortSignal
  readonly timeout: number
  readonly conceal: Concealer
}

/** Returns all pages of a server's list, up to the limits. Omits tools that are too large. */
export async function listTools(client: Client, options: ListOptions): Promise<McpToolDescription[]> {
  const { conceal, ...request } = options
  const tools: McpToolDescription[] = []
  let characters = 0
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor }
    // `client.listTools` would collect all pages without a limit, and compile each output schema.
    const result = await client.request({ method: 'tools/list', params }, request)
    for (const listed of result.tools) {
      const tool = describe(listed, conceal)
      if (tool === null) continue
      characters += charactersOf(tool) + 1
      if (tools.length === maxTools || characters > maxListCharacters) return tools
      tools.push(tool)
    }
    cursor = result.nextCursor
    if (cursor === undefined) break
  }
  return tools
}

/** Returns null if the tool is too large to be passed to a model. */
function describe({ name, description, title, inputSchema, annotations }: Tool, conceal: Concealer) {
  if (name.length > maxNameCharacters) return null
  const words = concealBeginning(conceal, description ?? title ?? '', maxDescriptionCharacters)
  const tool: McpToolDescription = {
    name,
    description: words.toWellFormed(),
    parameters: inputSchema,
    ...(annotations?.readOnlyHint === true && { isReadOnly: true }),
    ...(annotations && {
      hints: {
        readOnlyHint: annotations.readOnlyHint ?? null,
        destructiveHint: annotations.destructiveHint ?? null,
        idempotentHint: annotations.idempotentHint ?? null,
        openWorldHint: annotations.openWorldHint ?? null,
      },
    }),
  }
  return charactersOf(tool) > maxToolCharacters ? null : tool
}

function charactersOf(tool: McpToolDescription): number {
  try {
    return JSON.stringify(tool).length
  } catch {
    // The schema is nested too deeply to be serialized.
    return Number.POSITIVE_INFINITY
  }
}
