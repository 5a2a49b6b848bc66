import type { McpToolDescription } from './tool-executor.js'

/** The tools that an MCP server listed, the last time it was asked. */
export interface McpListingRecord {
  readonly agentId: string
  readonly toolName: string
  /** Where the server was; of no use to a tool that leads elsewhere now. */
  readonly address: string
  readonly tools: readonly McpToolDescription[]
  readonly listedAt: string
}

export interface McpListingStore {
  find(agentId: string, toolName: string, address: string): Promise<McpListingRecord | null>
  /** Keeps this one instead of what was known of the tool before. */
  save(record: McpListingRecord): Promise<void>
}
