import type { Agent, AgentPatch } from '@parley/sdk'
import type { ToolDraft } from './tools/tool-draft'

/** An agent as loaded, including its version for saving. */
export interface AgentVersion {
  readonly agent: Agent
  readonly etag: string | null
}

const editedFields = [
  'name',
  'description',
  'systemMessage',
  'connectionId',
  'model',
  'realtimeModel',
  'voice',
  'realtimeFallbacks',
  'firstMessage',
  'exampleQuestions',
  'variables',
  'icon',
  'iconColor',
  'imageUrl',
  'memory',
  'conversationRetentionDays',
  'endUserLimits',
  'subAgentIds',
  'mcpTool',
  'tools',
] as const satisfies readonly (keyof Agent)[]

export type AgentField = (typeof editedFields)[number]

/** The unsaved input of the editor. */
export type AgentDraft = Pick<Agent, Exclude<AgentField, 'tools'>> & { readonly tools: ToolDraft[] }

export const emptyDraft: AgentDraft = {
  name: '',
  description: null,
  systemMessage: '',
  connectionId: null,
  model: null,
  realtimeModel: null,
  voice: null,
  realtimeFallbacks: [],
  firstMessage: null,
  exampleQuestions: [],
  variables: [],
  icon: null,
  iconColor: null,
  imageUrl: null,
  memory: 'off',
  conversationRetentionDays: null,
  endUserLimits: {},
  subAgentIds: [],
  mcpTool: false,
  tools: [],
}

export function draftOf(agent: Agent): AgentDraft {
  const { id: _, createdAt: _created, updatedAt: _updated, ...fields } = agent
  return fields
}

export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** The fields that differ, in the editor's order. */
export function changedFields(before: AgentDraft, after: AgentDraft): readonly AgentField[] {
  return editedFields.filter((field) => !isSame(before[field], after[field]))
}

/** Only changed fields are sent, so that unknown fields keep their values. */
export function patchOf(before: AgentDraft, after: AgentDraft): AgentPatch {
  const changed = changedFields(before, after)
  const patch: AgentPatch = { ...after }
  for (const field of editedFields) if (!changed.includes(field)) delete patch[field]
  return patch
}

/** Applies the local changes to a version that another user has saved. */
export function rebase(draft: AgentDraft, before: AgentDraft, theirs: AgentDraft): AgentDraft {
  const kept = Object.fromEntries(changedFields(before, draft).map((field) => [field, draft[field]]))
  return { ...theirs, ...kept }
}
