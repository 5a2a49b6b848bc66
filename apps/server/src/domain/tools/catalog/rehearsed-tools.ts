import type { Rehearsal } from '@parley/contract'
import type { CallableTool, RealAction } from '../../../ports/tool-executor.js'
import { mayHaveEffect } from '../running/may-have-effect.js'

/**
 * The same tools as they are in a rehearsal: to the model and to people they look alike, and what would be done is done by
 * stubs. They are part of the tool, so that whoever runs a call, on whichever instance and however much later, finds
 * nothing that it could really call. Sub-agents without a stub take part, and what only reads here goes on.
 */
export function rehearsedTools(
  tools: readonly CallableTool[],
  rehearsal: Rehearsal | null | undefined,
): readonly CallableTool[] {
  if (rehearsal === null || rehearsal === undefined) return tools
  return tools.map((tool) => {
    const stubs = rehearsal.tools.filter(({ name }) => name === tool.name)
    const { action } = tool
    if (action.kind === 'stub' || (stubs.length === 0 && staysReal(action))) return tool
    return { ...tool, action: { kind: 'stub', stubs, mayHaveEffect: mayHaveEffect(action) } }
  })
}

function staysReal(action: RealAction): boolean {
  return action.kind === 'subagent' || (action.kind === 'builtin' && !mayHaveEffect(action))
}
