import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { McpToolDescription } from '../../ports/tool-executor.js'
import type { Concealer } from '../tool-output/conceal-secrets.js'

/** A server that never comes to its last page is not followed for ever. */
const maxPages = 100

export interface ListOptions {
  readonly signal: AbortSignal
  readonly timeout: number
  readonly conceal: Concealer
}

/** All pages of a server's list. */
export async function listTools(client: Client, options: ListOptions): Promise<McpToolDescription[]> {
  const { conceal, ...request } = options
  const tools: McpToolDescription[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor }
    // Not the client's own method: that would compile each output schema, and fail the list for a bad one.
    const result = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, request)
    for (const { name, description, title, inputSchema, annotations } of result.tools) {
      tools.push({
        name,
        description: conceal(description ?? title ?? ''),
        parameters: inputSchema,
        ...(annotations?.readOnlyHint === true && { isReadOnly: true }),
      })
    }
    cursor = result.nextCursor
    if (cursor === undefined) break
  }
  return tools
}
