import type { ToolAction } from '../../../ports/tool-executor.js'

/** Whether a call may change something anywhere; where that is not known, it may. */
export function mayHaveEffect(action: ToolAction): boolean {
  switch (action.kind) {
    case 'http':
      return action.tool.request.method !== 'GET'
    case 'builtin':
      return action.tool.builtin === 'create_task'
    case 'mcp':
      return action.isReadOnly !== true
    case 'subagent':
      return true
    case 'stub':
      return action.mayHaveEffect
  }
}
