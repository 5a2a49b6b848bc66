/** In whose name and in which conversation a tool is called. */
export interface ToolScope {
  readonly organizationId: string
  readonly agentId: string
  readonly agentName: string
  /** Null where a tool is tried outside of any. */
  readonly conversationId: string | null
}
