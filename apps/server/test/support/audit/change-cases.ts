import { expect } from 'vitest'
import { addWaitingApproval } from '../approvals.js'
import { uploaded } from '../files/upload.js'
import { addMember, addPerson } from '../people/signed-in.js'
import type { RunningService } from '../start-service.js'
import { makeAgent, makeConversation, makeTurn } from '../stores/records.js'
import { endUserChanges } from './end-user-change-cases.js'
import { mcpChanges } from './mcp-change-cases.js'
import { phoneChanges } from './phone-change-cases.js'
import { testChanges } from './test-change-cases.js'
import { upsertChanges } from './upsert-change-cases.js'
import { usageChanges } from './usage-change-cases.js'
import { webhookChanges } from './webhook-change-cases.js'

/** One kind of change: what must exist before it, and the record that it writes. */
export interface ChangeCase {
  readonly change: string
  /** The resource to create first. Its id goes into the path. */
  readonly prepare?: readonly [path: string, body: object]
  /** Rows to insert first if no API call can create them. The result goes into the path. */
  readonly arrange?: (running: RunningService) => Promise<string>
  readonly method: string
  readonly path: (id: string) => string
  readonly body?: object
  /** The body, if it depends on the prepared resource. */
  readonly bodyFor?: (id: string) => object
  readonly action: string
  readonly resourceType: string
  readonly details: object
  /** The recorded resource id, if the response does not have it as `id`. */
  readonly resourceId?: (preparedId: string, answer: unknown) => string
  /** Other resources that the change affects, and their records. */
  readonly besides?: { readonly action: string; readonly details: object }
}

export const secretApiKey = 'sk-audit-connection-secret'
export const secretHeader = 'Bearer audit-header-secret'

const agents = '/api/v1/Agent'
const connections = '/api/v1/Connection'
const tasks = '/api/v1/Task'
const apiKeys = '/api/v1/ApiKey'

const tool = {
  kind: 'http',
  name: 'call',
  description: 'Calls.',
  request: { method: 'GET', url: 'https://tools.example.com/', headers: { Authorization: secretHeader } },
}
const connection = { name: 'Audited', kind: 'openai', apiKey: secretApiKey }
const apiKey = { name: 'Audited', scopes: ['task:read'] }

const invitations = '/api/v1/Invitation'
const invited = { email: 'audited@example.com', role: 'viewer' }

const callId = 'call_audited'
const decidedDetails = { conversationId: expect.any(String), callId, tool: 'current_time' }

async function arrangeFile({ url, organizationId, apiKey }: RunningService): Promise<string> {
  return (await uploaded({ url, organizationId, apiKey }, { name: 'audited.txt', content: 'Words.' })).id
}

async function arrangeMember({ service, organizationId }: RunningService): Promise<string> {
  const { stores } = service.database
  const { id: personId } = await addPerson(stores)
  return addMember(stores, { organizationId, personId, role: 'viewer' })
}

async function arrangeApproval({ service, organizationId }: RunningService): Promise<string> {
  return (await addWaitingApproval(service.database.stores, organizationId, { callId })).conversationId
}

/** An agent that answers in text without a provider. */
async function arrangeTextAgent({ client }: RunningService): Promise<string> {
  const create = async (path: string, body: object) =>
    (await client.call<{ id: string }>('POST', path, { body })).body.id
  const connectionId = await create(connections, { name: 'Engine', kind: 'embedded' })
  return create(agents, { name: 'Audited', connectionId })
}

async function arrangeAssignedTask(running: RunningService): Promise<string> {
  const body = { title: 'Audited', agentId: await arrangeTextAgent(running) }
  return (await running.client.call<{ id: string }>('POST', tasks, { body })).body.id
}

/** Returns the ids of the conversation and of a question that waits for its turn. */
async function arrangeTurn({ service, organizationId, instanceId }: RunningService): Promise<string> {
  const { agents: agentStore, conversations, turns } = service.database.stores
  const agent = makeAgent(organizationId, { subAgentIds: [] })
  const conversation = makeConversation(organizationId, agent.id)
  // The service would end the turn of an instance that is not alive.
  const turn = makeTurn(conversation, { instanceId })
  await agentStore.insert(agent)
  await conversations.insert(conversation)
  await turns.insert(turn)
  return `${conversation.id} ${turn.id}`
}

const changes = {
  'creating an agent': {
    method: 'POST',
    path: () => agents,
    body: { name: 'Audited', tools: [tool] },
    action: 'agent.create',
    resourceType: 'Agent',
    details: { name: 'Audited' },
  },
  'replacing an agent': {
    prepare: [agents, { name: 'Audited' }],
    method: 'PUT',
    path: (id) => `${agents}/${id}`,
    body: { name: 'Replaced', tools: [tool] },
    action: 'agent.update',
    resourceType: 'Agent',
    details: { changed: ['name', 'tools', 'toolSecrets'] },
  },
  'patching an agent': {
    prepare: [agents, { name: 'Audited' }],
    method: 'PATCH',
    path: (id) => `${agents}/${id}`,
    body: { voice: 'cedar' },
    action: 'agent.update',
    resourceType: 'Agent',
    details: { changed: ['voice'] },
  },
  'restoring an agent': {
    prepare: [agents, { name: 'Audited' }],
    method: 'POST',
    path: (id) => `${agents}/${id}/revision/1/restore`,
    action: 'agent.restore',
    resourceType: 'Agent',
    details: { revision: 1, changed: [] },
  },
  'deleting an agent': {
    prepare: [agents, { name: 'Audited' }],
    method: 'DELETE',
    path: (id) => `${agents}/${id}`,
    action: 'agent.delete',
    resourceType: 'Agent',
    details: { name: 'Audited' },
  },
  ...webhookChanges,
  ...phoneChanges,
  ...mcpChanges,
  'creating a connection': {
    method: 'POST',
    path: () => connections,
    body: connection,
    action: 'connection.create',
    resourceType: 'Connection',
    details: { name: 'Audited', kind: 'openai' },
  },
  'replacing a connection': {
    prepare: [connections, connection],
    method: 'PUT',
    path: (id) => `${connections}/${id}`,
    body: { name: 'Replaced', kind: 'openai', apiKey: `${secretApiKey}-2` },
    action: 'connection.update',
    resourceType: 'Connection',
    details: { changed: ['name', 'sealedApiKey'] },
  },
  'patching a connection': {
    prepare: [connections, connection],
    method: 'PATCH',
    path: (id) => `${connections}/${id}`,
    body: { realtimeEnabled: false },
    action: 'connection.update',
    resourceType: 'Connection',
    details: { changed: ['realtimeEnabled'] },
  },
  'making a connection the default': {
    prepare: [connections, connection],
    method: 'PATCH',
    path: (id) => `${connections}/${id}`,
    body: { isDefault: true },
    action: 'connection.update',
    resourceType: 'Connection',
    details: { changed: ['isDefault'] },
    besides: { action: 'connection.update', details: { changed: ['isDefault'] } },
  },
  'deleting a connection': {
    prepare: [connections, connection],
    method: 'DELETE',
    path: (id) => `${connections}/${id}`,
    action: 'connection.delete',
    resourceType: 'Connection',
    details: { name: 'Audited' },
  },
  'creating a task': {
    method: 'POST',
    path: () => tasks,
    body: { title: 'Audited' },
    action: 'task.create',
    resourceType: 'Task',
    details: { status: 'open' },
  },
  'replacing a task': {
    prepare: [tasks, { title: 'Audited' }],
    method: 'PUT',
    path: (id) => `${tasks}/${id}`,
    body: { title: 'Replaced', status: 'in_progress' },
    action: 'task.update',
    resourceType: 'Task',
    details: { changed: ['title', 'status'], status: 'in_progress' },
  },
  'patching a task': {
    prepare: [tasks, { title: 'Audited' }],
    method: 'PATCH',
    path: (id) => `${tasks}/${id}`,
    body: { priority: 'high' },
    action: 'task.update',
    resourceType: 'Task',
    details: { changed: ['priority'], status: 'open' },
  },
  'running a task': {
    arrange: arrangeAssignedTask,
    method: 'POST',
    path: (id) => `${tasks}/${id}/run`,
    action: 'task.run.start',
    resourceType: 'Task',
    details: {
      agentId: expect.any(String),
      conversationId: expect.any(String),
      apiKeyId: expect.any(String),
    },
  },
  'creating a task by its external id': {
    method: 'PUT',
    path: () => `${tasks}/external/new`,
    body: { title: 'Audited' },
    action: 'task.create',
    resourceType: 'Task',
    details: { status: 'open' },
  },
  'replacing a task by its external id': {
    prepare: [tasks, { title: 'Audited', externalId: 'known' }],
    method: 'PUT',
    path: () => `${tasks}/external/known`,
    body: { title: 'Replaced' },
    action: 'task.update',
    resourceType: 'Task',
    details: { changed: ['title'], status: 'open' },
  },
  'deleting a task': {
    prepare: [tasks, { title: 'Audited' }],
    method: 'DELETE',
    path: (id) => `${tasks}/${id}`,
    action: 'task.delete',
    resourceType: 'Task',
    details: {},
  },
  ...endUserChanges,
  'approving a call': {
    arrange: arrangeApproval,
    method: 'POST',
    path: (id) => `/api/v1/Conversation/${id}/approval`,
    body: { callId, decision: 'approve' },
    action: 'approval.approve',
    resourceType: 'Approval',
    details: decidedDetails,
  },
  'rejecting a call': {
    arrange: arrangeApproval,
    method: 'POST',
    path: (id) => `/api/v1/Conversation/${id}/approval`,
    body: { callId, decision: 'reject', reason: 'Not today.' },
    action: 'approval.reject',
    resourceType: 'Approval',
    details: decidedDetails,
  },
  'deleting a file': {
    arrange: arrangeFile,
    method: 'DELETE',
    path: (id) => `/api/v1/TemporaryFile/${id}`,
    action: 'temporary_file.delete',
    resourceType: 'TemporaryFile',
    details: {},
  },
  'asking an agent': {
    arrange: arrangeTextAgent,
    method: 'POST',
    path: (id) => `${agents}/${id}/question`,
    body: { question: 'Hello?' },
    action: 'question.ask',
    resourceType: 'Turn',
    resourceId: (_, answer) => (answer as { turnId: string }).turnId,
    details: { agentId: expect.any(String), conversationId: expect.any(String) },
  },
  'stopping a turn': {
    arrange: arrangeTurn,
    method: 'DELETE',
    path: (ids) => `/api/v1/Conversation/${ids.split(' ')[0]}/turn/${ids.split(' ').at(-1)}`,
    action: 'turn.stop',
    resourceType: 'Turn',
    resourceId: (ids) => ids.split(' ').at(-1) ?? '',
    details: { conversationId: expect.any(String) },
  },
  'creating an API key': {
    method: 'POST',
    path: () => apiKeys,
    body: apiKey,
    action: 'api_key.create',
    resourceType: 'ApiKey',
    details: { name: 'Audited', scopes: ['task:read'] },
  },
  'deleting an API key': {
    prepare: [apiKeys, apiKey],
    method: 'DELETE',
    path: (id) => `${apiKeys}/${id}`,
    action: 'api_key.delete',
    resourceType: 'ApiKey',
    details: { name: 'Audited' },
  },
  ...usageChanges,
  ...testChanges,
  ...upsertChanges,
  'inviting a person': {
    method: 'POST',
    path: () => invitations,
    body: invited,
    action: 'invitation.create',
    resourceType: 'Invitation',
    details: invited,
  },
  'withdrawing an invitation': {
    prepare: [invitations, invited],
    method: 'DELETE',
    path: (id) => `${invitations}/${id}`,
    action: 'invitation.delete',
    resourceType: 'Invitation',
    details: invited,
  },
  'changing a role': {
    arrange: arrangeMember,
    method: 'PATCH',
    path: (id) => `/api/v1/Member/${id}`,
    body: { role: 'builder' },
    action: 'member.update',
    resourceType: 'Member',
    details: { personId: expect.any(String), from: 'viewer', to: 'builder', endedInvitations: 0 },
  },
  'removing a member': {
    arrange: arrangeMember,
    method: 'DELETE',
    path: (id) => `/api/v1/Member/${id}`,
    action: 'member.delete',
    resourceType: 'Member',
    details: { personId: expect.any(String), role: 'viewer', endedInvitations: 0 },
  },
} satisfies Record<string, Omit<ChangeCase, 'change'>>

export const changeCases: readonly ChangeCase[] = Object.entries<Omit<ChangeCase, 'change'>>(changes).map(
  ([change, rest]) => ({ change, ...rest }),
)
