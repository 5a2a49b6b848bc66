import { randomBytes } from 'node:crypto'
import { noCost } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { AgentRecord, ConnectionRecord } from '#server/ports/agent-stores.js'
import type { AgentTestRecord, AgentTestRunRecord } from '#server/ports/agent-test-stores.js'
import type { StoredAuditRecord } from '#server/ports/audit-store.js'
import type { ConversationRecord, MessageRecord, TurnRecord } from '#server/ports/conversation-stores.js'
import type { ApiKeyRecord } from '#server/ports/people-stores.js'
import type { RealtimeSessionRecord } from '#server/ports/realtime-stores.js'
import type { ApprovalRecord, TaskRecord } from '#server/ports/task-stores.js'
import type { CallableTool } from '#server/ports/tool-executor.js'

/**
 * Combining marks, characters beyond 16 bits, joiners, a line separator, right-to-left text, quotes and
 * escapes.
 */
export const unusualText = `e\u0301 𝒜😀👩‍👩‍👧 \u2028 \u202e שלום '"\\ \\n $1 %s \u{10ffff}`

const moment = '2030-01-02T03:04:05.678Z'

function resource(organizationId: string) {
  return { id: uuid(), organizationId, version: 1, createdAt: moment, updatedAt: moment }
}

/** The same text with the control characters that a file may contain. */
const kept = () => ({ externalId: `external-${uuid()}`, managedBy: 'hotel' })

/** Records with every field set, so a field that is not stored is noticed. */
export function makeAgent(organizationId: string, fields: Partial<AgentRecord> = {}): AgentRecord {
  return {
    ...resource(organizationId),
    name: 'Agent',
    description: unusualText,
    systemMessage: 'Be kind.\n',
    connectionId: null,
    model: 'text-model',
    realtimeModel: 'voice-model',
    voice: 'alloy',
    variables: [{ name: 'guest', description: null, default: 'Ada', required: false }],
    icon: '🛎️',
    iconColor: '#2f6f4f',
    imageUrl: 'https://example.com/agent.png',
    tools: [
      {
        kind: 'http',
        name: 'find',
        title: null,
        imageUrl: null,
        approvalRequired: true,
        approvedBy: 'either',
        timeoutSeconds: 30,
        button: { label: 'Open', link: 'https://example.com' },
        description: 'Finds.',
        parameters: { type: 'object', properties: { z: {}, a: {}, 1: {} }, required: ['z'] },
        request: {
          method: 'GET',
          url: 'https://example.com/{z}',
          query: { second: '2', first: '1' },
          body: [null, 0, '', { b: 1, a: [] }],
          headerNames: ['Authorization'],
        },
      },
    ],
    toolSecrets: { find: { Authorization: 'v1.sealed' } },
    subAgentIds: [uuid(), uuid()],
    firstMessage: 'Hello.',
    exampleQuestions: ['How?', 'Why?'],
    memory: 'facts',
    realtimeFallbacks: [{ connectionId: uuid(), model: 'm', voice: 'v', firstMessage: 'F' }],
    endUserLimits: { questionsPerMinute: 5 },
    conversationRetentionDays: null,
    mcpTool: true,
    ...kept(),
    deletedAt: null,
    ...fields,
  }
}

export function makeConnection(
  organizationId: string,
  fields: Partial<ConnectionRecord> = {},
): ConnectionRecord {
  return {
    ...resource(organizationId),
    name: 'Connection',
    kind: 'openai-compatible',
    baseUrl: 'https://example.com/v1',
    sealedApiKey: 'v1.sealed',
    models: { chat: 'chat', realtime: ['first', 'second'], transcription: null, speech: 'speech' },
    realtimeEnabled: true,
    governanceDisabled: true,
    isDefault: false,
    chatConnectionId: null,
    realtimeProtocol: null,
    isFromEnvironment: false,
    ...kept(),
    ...fields,
  }
}

export function makeAgentTest(organizationId: string, agentId: string): AgentTestRecord {
  return {
    ...resource(organizationId),
    agentId,
    name: 'Tests',
    definition: unusualText,
    tests: [{ name: unusualText, channel: 'voice' }],
  }
}

/** A run that has not ended. */
export function makeTestRun(organizationId: string, agentId: string): AgentTestRunRecord {
  return {
    ...resource(organizationId),
    agentId,
    actor: { type: 'person', id: uuid(), name: unusualText },
    ...{ state: 'running', failure: null, endedAt: null },
    judgeAgentId: uuid(),
    userAgentId: uuid(),
    testCount: 3,
    instanceId: uuid(),
  }
}

export function makeTask(organizationId: string, fields: Partial<TaskRecord> = {}): TaskRecord {
  return {
    ...resource(organizationId),
    title: 'Task',
    externalUserId: 'customer-1',
    metadata: { plan: 'pro', seats: 5, trial: false },
    variables: { guest: 'Ada' },
    description: unusualText,
    status: 'in_progress',
    agentId: null,
    conversationId: uuid(),
    externalId: `external-${uuid()}`,
    priority: 'urgent',
    dueAt: '2031-12-31T23:59:59.999Z',
    result: 'A result.',
    schedule: '0 9 * * MON-FRI',
    timeZone: 'Europe/Berlin',
    ...{ channel: 'telephone', to: '+4930654321', from: '+4930123456', phoneCallId: uuid() },
    maxAttempts: 5,
    runAt: '2031-01-01T00:00:00.000Z',
    runDeadlineAt: '2031-01-02T00:00:00.000Z',
    sourceConversationId: uuid(),
    turnId: uuid(),
    attempts: 2,
    statusDetail: unusualText,
    runStartedAt: '2031-01-01T00:00:01.000Z',
    nextRunAt: '2031-01-01T00:00:02.000Z',
    missedRuns: 4,
    responseSchema: { type: 'object' },
    output: { total: 1 },
    plannedByKeyId: uuid(),
    runByKeyId: uuid(),
    ...fields,
  }
}

export function makeApiKey(organizationId: string, fields: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return {
    ...resource(organizationId),
    name: 'Key',
    prefix: randomBytes(6).toString('hex'),
    hash: 'hash',
    scopes: ['task:write', 'agent:read'],
    expiresAt: '2040-01-01T00:00:00.000Z',
    lastUsedAt: '2030-06-01T12:00:00.000Z',
    deletedAt: null,
    ...fields,
  }
}

export function makeConversation(
  organizationId: string,
  agentId: string,
  fields: Partial<ConversationRecord> = {},
): ConversationRecord {
  return {
    ...resource(organizationId),
    agentId,
    title: 'Title',
    messageCount: 0,
    lastMessageAt: null,
    rehearsal: false,
    removalRequestedAt: null,
    endUserId: null,
    externalUserId: null,
    metadata: { plan: 'pro', seats: 5, trial: false },
    variables: { guest: 'Ada' },
    deletedAt: null,
    ...fields,
  }
}

export function makeMessage(
  { organizationId, id }: ConversationRecord,
  fields: Partial<MessageRecord> = {},
): MessageRecord {
  return {
    id: uuid(),
    organizationId,
    conversationId: id,
    originId: uuid(),
    itemId: 'item_1',
    contentIndex: 0,
    positionMicroseconds: 1_893_553_445_678_901,
    positionCounter: 0,
    createdAt: moment,
    updatedAt: moment,
    role: 'user',
    content: 'Hello',
    channel: 'realtime',
    interrupted: false,
    failure: null,
    callId: 'call_1',
    name: 'tool',
    arguments: '{"b":1,"a":2}',
    status: 2,
    executionTimeSeconds: 0.1,
    ...fields,
  }
}

/** A harmless tool that runs in every environment. */
const currentTime: CallableTool = {
  name: 'current_time',
  description: 'Says what time it is.',
  parameters: { type: 'object', properties: { z: {}, a: {} } },
  title: unusualText,
  imageUrl: null,
  button: { label: 'Open', link: 'https://example.com/' },
  approvalRequired: true,
  approvedBy: 'either',
  timeoutSeconds: 30,
  action: {
    kind: 'builtin',
    tool: {
      kind: 'builtin',
      name: 'current_time',
      title: null,
      description: 'Says what time it is.',
      imageUrl: null,
      approvalRequired: true,
      approvedBy: 'either',
      timeoutSeconds: 30,
      button: null,
      builtin: 'current_time',
    },
  },
}

export function makeApproval(
  { organizationId, agentId, id }: ConversationRecord,
  fields: Partial<ApprovalRecord> = {},
): ApprovalRecord {
  return {
    ...resource(organizationId),
    conversationId: id,
    messageId: uuid(),
    callId: `call_${uuid()}`,
    agentId,
    tool: currentTime.name,
    arguments: '{"z":1,"a":"\\u0000"}',
    approvedBy: 'either',
    call: currentTime,
    state: 'waiting',
    deadline: '2030-01-02T03:09:05.678Z',
    decidedBy: null,
    decidedAt: null,
    reason: null,
    originId: null,
    claimedBy: null,
    finishedAt: null,
    rehearsal: false,
    ...fields,
  }
}

const noUsage = {
  responses: 0,
  totalTokens: 0,
  inputTokens: 0,
  inputTextTokens: 0,
  inputAudioTokens: 0,
  inputImageTokens: 0,
  cachedTokens: 0,
  cachedTextTokens: 0,
  cachedAudioTokens: 0,
  outputTokens: 0,
  outputTextTokens: 0,
  outputAudioTokens: 0,
}

export function makeTurn(
  { organizationId, agentId, id }: ConversationRecord,
  fields: Partial<TurnRecord> = {},
): Omit<TurnRecord, 'position'> {
  return {
    ...resource(organizationId),
    conversationId: id,
    agentId,
    state: 'queued',
    question: unusualText,
    fileIds: [],
    additionalInstructions: null,
    responseSchema: { type: 'object' },
    questionMessageId: uuid(),
    answerMessageId: uuid(),
    instanceId: uuid(),
    idempotencyKey: null,
    stopRequestedAt: null,
    startedAt: null,
    endedAt: null,
    answer: null,
    failure: null,
    apiKeyId: null,
    usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
    cost: noCost,
    taskId: null,
    rehearsal: null,
    endUserId: null,
    ...fields,
  }
}

export function makeSession(
  { organizationId, agentId, id }: ConversationRecord,
  fields: Partial<RealtimeSessionRecord> = {},
): RealtimeSessionRecord {
  return {
    ...resource(organizationId),
    agentId,
    conversationId: id,
    state: 'issued',
    tokenHash: randomBytes(32).toString('hex'),
    expiresAt: '2030-01-02T03:05:05.678Z',
    startedAt: null,
    endedAt: null,
    endReason: null,
    endRequestedAt: null,
    instanceId: null,
    apiKeyId: uuid(),
    usage: noUsage,
    cost: { ...noCost, amount: 0.25, unpricedTokens: 3 },
    latency: { exchanges: 2, firstAudioP50Ms: 700, firstAudioP95Ms: null },
    setup: {
      accessMode: 'api',
      connectionId: uuid(),
      model: 'voice-model',
      transcriptionModel: 'transcription-model',
      inputAudioFormat: 'pcm16',
      outputAudioFormat: 'pcm16',
      voice: 'alloy',
      instructions: unusualText,
      tools: [{ type: 'function', name: 'find', description: 'Finds.', parameters: { z: 1, a: 2 } }],
      backendTools: [currentTime],
      agentName: unusualText,
    },
    rehearsal: false,
    endUserId: null,
    limitedId: null,
    ...fields,
  }
}

export function makeAuditRecord(
  organizationId: string,
  fields: Partial<StoredAuditRecord> = {},
): StoredAuditRecord {
  return {
    id: uuid(),
    organizationId,
    at: moment,
    actor: { type: 'api_key', id: 'key', name: unusualText },
    action: 'task.create',
    resourceType: 'Task',
    resourceId: 'a task',
    outcome: 'success',
    ipAddress: '2001:db8::1',
    requestId: 'request',
    details: { z: 1, a: { nested: [true, null] } },
    canonical: unusualText,
    sequence: null,
    hash: null,
    keyId: null,
    signature: null,
    sealedAt: null,
    sealProof: null,
    ...fields,
  }
}
