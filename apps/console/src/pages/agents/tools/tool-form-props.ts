import type { AgentTool } from '@parley/sdk'
import type { ToolDraft } from './tool-draft'
import type { Mistakes } from './tool-mistakes'

/** Props of every part of the tool form. */
export interface ToolFormProps<Tool extends ToolDraft = ToolDraft> {
  readonly tool: Tool
  readonly saved: readonly AgentTool[]
  readonly mistakes: Mistakes
  readonly isReadOnly: boolean
  readonly onChange: (tool: ToolDraft) => void
}
