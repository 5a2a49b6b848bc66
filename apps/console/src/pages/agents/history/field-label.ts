import type { AgentDraft, AgentField } from '../agent-draft'

const labels: Readonly<Record<AgentField, string>> = {
  name: 'Name',
  description: 'Description',
  systemMessage: 'Instructions',
  connectionId: 'Connection',
  model: 'Text model',
  realtimeModel: 'Realtime model',
  voice: 'Voice',
  realtimeFallbacks: 'Voice fallbacks',
  firstMessage: 'First message',
  exampleQuestions: 'Example questions',
  variables: 'Variables',
  icon: 'Icon',
  iconColor: 'Color',
  imageUrl: 'Image URL',
  memory: 'Memory',
  conversationRetentionDays: 'Conversation retention',
  endUserLimits: 'Limits of each end user',
  subAgentIds: 'Sub-agents',
  mcpTool: 'Expose as MCP tool',
  tools: 'Tools',
}

/** Field names as the editor shows them. */
export function fieldLabel(field: string): string {
  const known = Object.entries(labels).find(([name]) => name === field)
  return known?.[1] ?? (field === 'toolSecrets' ? 'Tool header values' : field)
}

/** A field's value as lines of text. */
export function valueText(draft: AgentDraft, field: AgentField, names: ReadonlyMap<string, string>): string {
  const nameOf = (id: string) => names.get(id) ?? id
  switch (field) {
    case 'tools':
      return draft.tools.length === 0 ? '' : JSON.stringify(draft.tools, concealed, 2)
    case 'subAgentIds':
      return draft.subAgentIds.map(nameOf).join('\n')
    case 'exampleQuestions':
      return draft.exampleQuestions.join('\n')
    case 'variables':
      return draft.variables.map((variable) => JSON.stringify(variable)).join('\n')
    case 'realtimeFallbacks':
      return draft.realtimeFallbacks
        .map(({ connectionId, model, voice, firstMessage }) =>
          [nameOf(connectionId), model, voice, firstMessage].filter((part) => part !== null).join(' · '),
        )
        .join('\n')
    case 'endUserLimits':
      return Object.entries(draft.endUserLimits)
        .map(([name, value]) => `${name}: ${value ?? 'no limit'}`)
        .join('\n')
    case 'conversationRetentionDays':
      return draft.conversationRetentionDays === null
        ? '(organization)'
        : `${draft.conversationRetentionDays} days`
    case 'mcpTool':
      return draft.mcpTool ? 'yes' : 'no'
    case 'connectionId':
      return draft.connectionId === null ? '(default)' : nameOf(draft.connectionId)
    default:
      return draft[field] ?? ''
  }
}

/** Unsaved secret values are not shown. */
function concealed(key: string, value: unknown): unknown {
  if (key !== 'headers' || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [name, text === null ? null : '••••']),
  )
}
