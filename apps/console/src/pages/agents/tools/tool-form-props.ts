import type { AgentTool } from '@parley/sdk'
import type { ToolDraft } from './tool-draft'
import type { FieldErrors } from './tool-errors'

/** Props of every part of the tool form. */
export interface ToolFormProps<Tool extends ToolDraft = ToolDraft> {
  readonly tool: Tool
  readonly saved: readonly AgentTool[]
  readonly errors: FieldErrors
  readonly isReadOnly: boolean
  readonly onChange: (tool: ToolDraft) => void
}
