import type { z } from 'zod'
import type { Agent } from '../agent.js'
import type { AgentRevision, AgentRevisionSummary } from '../agent-revision.js'
import type { AgentTest } from '../agent-test.js'
import type { AgentTestOutcome, AgentTestRun, AgentTestRunSummary } from '../agent-test-run.js'
import type { ApiKey, CreatedApiKey } from '../api-key.js'
import type { AuditLogHead, AuditLogRecord, AuditLogVerification } from '../audit-log.js'
import type { Connection, ConnectionTest } from '../connection.js'
import type { OfferedTool } from '../offered-tool.js'
import type { Task } from '../task.js'
import type { TemporaryFile } from '../temporary-file.js'
import type { ToolTrial } from '../tool-trial.js'
import { ids, times } from './hotel.js'

export const agent: Agent = {
  id: ids.agent,
  ...times('2026-11-02T09:00:00.000Z', '2026-11-09T14:30:12.480Z'),
  name: 'Front desk',
  description: 'Answers visitors and notes their requests.',
  systemMessage: 'You are the front desk of a small hotel. Be brief and kind.',
  connectionId: null,
  model: null,
  realtimeModel: null,
  voice: null,
  realtimeFallbacks: [],
  firstMessage: 'Welcome to the Seaview. How can I help?',
  exampleQuestions: ['When is breakfast?'],
  variables: [],
  endUserLimits: { questionsPerMinute: 10 },
  conversationRetentionDays: null,
  icon: 'bell',
  iconColor: '#2f6f4f',
  imageUrl: null,
  subAgentIds: [],
  memory: 'off',
  mcpTool: true,
  externalId: 'front-desk',
  managedBy: null,
  tools: [
    {
      kind: 'http',
      name: 'find_booking',
      title: 'Find a booking',
      description: 'Finds a booking by its number.',
      parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
      request: {
        method: 'GET',
        url: 'https://booking.example.com/bookings/{number}',
        query: {},
        body: null,
        headerNames: ['Authorization'],
      },
      imageUrl: null,
      approvalRequired: false,
      approvedBy: 'either',
      timeoutSeconds: 30,
      button: null,
    },
  ],
}

export const offeredTool: OfferedTool = {
  name: 'booking__cancel',
  title: 'Bookings: cancel',
  description: 'Cancels a booking.',
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  kind: 'mcp',
  tool: 'booking',
  approvalRequired: true,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: null },
}

export const revisionSummary: AgentRevisionSummary = {
  agentId: ids.agent,
  number: 4,
  at: '2026-11-09T14:30:12.480Z',
  actor: { type: 'person', id: ids.person, name: 'Kim Berg' },
  changed: ['systemMessage', 'tools'],
  restoredFrom: null,
}

export const revision: AgentRevision = { ...revisionSummary, agent }

export const agentTest: AgentTest = {
  id: ids.agentTest,
  ...times('2026-11-10T08:15:00.000Z'),
  agentId: ids.agent,
  name: 'Bookings',
  definition: `tools:
  find_booking: { output: { guest: Anna, arrival: Friday } }
tests:
  - name: finds a booking by its number
    turns:
      - user: Find booking number 204.
        expect:
          - calls: { find_booking: { number: "204" } }
          - says: /friday/i
`,
  tests: [{ name: 'finds a booking by its number', channel: 'text' }],
}

const outcome: AgentTestOutcome = {
  testId: ids.agentTest,
  name: 'finds a booking by its number',
  verdict: 'failed',
  previousVerdict: 'passed',
  passed: 0,
  required: 1,
  repetitions: 1,
  durationMilliseconds: 1840,
}

export const agentTestRunSummary: AgentTestRunSummary = {
  id: ids.agentTestRun,
  ...times('2026-11-15T09:20:00.000Z', '2026-11-15T09:20:02.110Z'),
  agentId: ids.agent,
  actor: { type: 'person', id: ids.person, name: 'Kim Berg' },
  state: 'completed',
  failure: null,
  endedAt: '2026-11-15T09:20:02.110Z',
  judgeAgentId: null,
  userAgentId: null,
  testCount: 1,
  results: [outcome],
}

export const agentTestRun: AgentTestRun = {
  ...agentTestRunSummary,
  results: [
    {
      ...outcome,
      reason: null,
      unmet: [{ expectation: 'says', expected: '/friday/i', actual: '"Your booking is confirmed."' }],
      transcript: [
        'user:   Find booking number 204.',
        'calls:  find_booking {"number":"204"} (success) → {"guest":"Anna","arrival":"Friday"}',
        'agent:  Your booking is confirmed. (after 912 ms)',
      ],
    },
  ],
}

export const runningAgentTestRun: AgentTestRun = {
  ...agentTestRun,
  ...times('2026-11-15T09:20:00.000Z'),
  state: 'running',
  endedAt: null,
  results: [],
}

export const toolTrial: ToolTrial = {
  isSuccess: true,
  output: 'The arguments are valid. The tool was not called.',
  request: { method: 'GET', url: 'https://booking.example.com/bookings/B-204', body: null },
  executionTimeSeconds: 0,
}

export const connection: Connection = {
  id: ids.connection,
  ...times('2026-11-02T08:58:41.107Z'),
  name: 'OpenAI',
  kind: 'openai',
  baseUrl: null,
  realtimeEnabled: true,
  governanceDisabled: false,
  isDefault: true,
  chatConnectionId: null,
  realtimeProtocol: null,
  models: { chat: 'gpt-5-mini', realtime: ['gpt-realtime-2.1'], transcription: null, speech: null },
  hasApiKey: true,
  externalId: null,
  managedBy: null,
}

export const connectionTest: ConnectionTest = {
  ok: true,
  detail: 'The provider responded and accepted the API key.',
  providerStatus: 200,
  durationMilliseconds: 412,
  missingModels: [],
}

export const task: Task = {
  id: ids.task,
  ...times('2026-11-15T09:12:20.006Z'),
  title: 'Call the visitor back',
  description: 'The guest of booking B-204 would like a room with a view.',
  responseSchema: null,
  externalUserId: null,
  metadata: {},
  variables: {},
  status: 'open',
  agentId: null,
  priority: 'high',
  result: null,
  externalId: 'crm-8841',
  dueAt: '2026-11-16T09:00:00.000Z',
  runAt: null,
  runDeadlineAt: null,
  schedule: null,
  timeZone: 'UTC',
  channel: 'text',
  to: null,
  from: null,
  maxAttempts: 3,
  phoneCallId: null,
  conversationId: null,
  sourceConversationId: null,
  turnId: null,
  output: null,
  attempts: 0,
  statusDetail: null,
  runStartedAt: null,
  nextRunAt: null,
  missedRuns: 0,
}

/** The same task during a run. */
export const runningTask: Task = {
  ...task,
  status: 'in_progress',
  agentId: ids.agent,
  conversationId: ids.conversation,
  statusDetail: 'The run is waiting for a free slot.',
  runStartedAt: '2026-11-15T09:12:31.480Z',
  runDeadlineAt: '2026-11-15T10:12:31.480Z',
  nextRunAt: '2026-11-15T09:12:31.480Z',
}

export const file: TemporaryFile = {
  id: ids.file,
  ...times('2026-11-15T09:01:40.215Z'),
  name: 'house-rules.md',
  contentType: 'text/markdown',
  sizeBytes: 1843,
  expiresAt: '2026-11-16T09:01:40.215Z',
}

/** Example contents of a file, by media type. Binary types such as images have no example. */
export const fileText: Readonly<Record<string, string>> = {
  'text/plain': 'Breakfast is from seven to ten.\n',
  'text/markdown': '# House rules\n\nBreakfast is from seven to ten.\n',
  'text/csv': 'room,price\nsmall,80\nlarge,120\n',
  'application/json': '{ "breakfast": { "from": "07:00", "to": "10:00" } }\n',
  'text/html': '<h1>House rules</h1><p>Breakfast is from seven to ten.</p>\n',
}

export const apiKey: ApiKey = {
  id: ids.key,
  ...times('2026-11-02T08:57:00.000Z'),
  name: 'Booking system, production',
  prefix: 'prl_h4Qm2xZk',
  scopes: ['agent:read', 'task:write'],
  expiresAt: null,
  lastUsedAt: '2026-11-15T09:12:00.000Z',
}

export const createdApiKey: z.output<typeof CreatedApiKey> = {
  ...apiKey,
  lastUsedAt: null,
  key: 'prl_h4Qm2xZk_<43 more characters>',
}

export const auditRecord: AuditLogRecord = {
  id: ids.record,
  at: '2026-11-02T09:00:00.000Z',
  actor: { type: 'api_key', id: ids.key, name: 'Booking system, production' },
  action: 'agent.create',
  resourceType: 'Agent',
  resourceId: ids.agent,
  outcome: 'success',
  ipAddress: '203.0.113.7',
  requestId: '01a1de5e-7a0f-7d1c-9e22-35e719f849db',
  details: { name: 'Front desk' },
  sequence: 12,
  hash: '9f2b6c4e1d7a8035c6e9f0b1a2d3c4e5f60718293a4b5c6d7e8f90a1b2c3d4e5',
  keyId: '5f1c0a9d27e4b863',
  signature: '5f1c0a9d27e4b863.b7d4e1920c3f5a688e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a392817',
  sealedAt: '2026-11-02T09:00:00.480Z',
  sealProof: '04c1b9e87f6a5d3c2b1a0f9e8d7c6b5a493827161504f3e2d1c0b9a8f7e6d5c4',
}

export const auditHead: AuditLogHead = {
  organizationId: ids.organization,
  sequence: 128,
  hash: '3d9a1f60c2b84e75a0d6f1938e2c7b5a4f60e1d2c3b4a5968778695a4b3c2d1e',
  sealedAt: '2026-11-15T09:12:00.412Z',
  keyId: '5f1c0a9d27e4b863',
  seal: '8c41e7a25d903fb6184e2c7da95b60f31e8d7c4b2a596f0e3d1c8b7a49f5e260',
  bareThrough: 0,
  removedThrough: 0,
  removedHash: null,
  changeover: null,
}

export const verification: AuditLogVerification = {
  valid: true,
  checkedCount: 128,
  unsealedCount: 0,
  brokenSequence: null,
  bareThrough: 0,
  removedThrough: 0,
  heldHead: null,
  rejectedCount: 0,
  rejectedIds: [],
  lateCount: 0,
  lateSequences: [],
  unsignedCount: 0,
  unsignedSequences: [],
  detail: 'Every sealed record is present and unchanged.',
}
