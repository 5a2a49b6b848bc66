import type { Approval } from '../approval.js'
import type { Conversation, Message } from '../conversation.js'
import type { EndUser } from '../end-user.js'
import type { EndUserFact } from '../end-user-fact.js'
import type { LiveEvent } from '../live-event.js'
import type { QuestionAnswer } from '../question.js'
import type { RealtimeSession } from '../realtime/realtime-session.js'
import type { RealtimeSessionTicket } from '../realtime/session-request.js'
import type { TurnEvent } from '../turn-events.js'
import { ids, times } from './hotel.js'
import { costOf } from './usage-examples.js'

export const endUser: EndUser = {
  id: '01a1de60-2c11-7b0e-8d3f-5a6b7c8d9e0f',
  ...times('2026-11-15T09:04:10.120Z'),
  externalId: 'customer-4711',
  name: 'Ada Lovelace',
  metadata: { plan: 'pro' },
  firstSeenAt: '2026-11-15T09:04:10.120Z',
  lastSeenAt: '2026-11-15T09:04:10.120Z',
  conversationCount: 1,
  erasure: null,
}

export const endUserFact: EndUserFact = {
  id: '01a1de60-3d22-7c1f-9e4a-6b7c8d9e0f1a',
  ...times('2026-11-15T09:09:13.544Z'),
  endUserId: endUser.id,
  agentId: ids.agent,
  text: 'Prefers a room on a high floor.',
  conversationId: ids.conversation,
}

export const erasedEndUser: EndUser = {
  ...endUser,
  erasure: { startedAt: '2026-11-16T10:00:00.000Z', remainingConversations: 1, remainingTasks: 0 },
}

export const endUserAsText = `${JSON.stringify({
  table: 'end_user',
  row: { id: endUser.id, external_id: endUser.externalId, name: endUser.name, metadata: endUser.metadata },
})}\n`

export const conversation: Conversation = {
  id: ids.conversation,
  ...times('2026-11-15T09:04:11.460Z', '2026-11-15T09:04:13.544Z'),
  agentId: ids.agent,
  title: 'When does booking B-204 arrive?',
  messageCount: 3,
  lastMessageAt: '2026-11-15T09:04:13.544Z',
  endUserId: null,
  externalUserId: null,
  metadata: {},
  rehearsal: false,
}

const call = {
  id: ids.call,
  callId: 'call_4f1c9a7e',
  name: 'find_booking',
  arguments: '{"number":"B-204"}',
  content: '{"number":"B-204","arrival":"2026-11-20","nights":2}',
  status: 1,
  executionTimeSeconds: 0.184,
}

const noToolCall = { callId: null, name: null, arguments: null, status: null, executionTimeSeconds: null }

const inConversation = {
  conversationId: ids.conversation,
  channel: 'text',
  originId: ids.turn,
  interrupted: false,
  failure: null,
} as const

export const messages: Message[] = [
  {
    ...inConversation,
    ...noToolCall,
    ...times('2026-11-15T09:04:11.462Z'),
    id: ids.question,
    role: 'user',
    content: 'When does booking B-204 arrive?',
  },
  { ...inConversation, ...times('2026-11-15T09:04:12.503Z'), ...call, role: 'tool' },
  {
    ...inConversation,
    ...noToolCall,
    ...times('2026-11-15T09:04:13.544Z'),
    id: ids.answer,
    role: 'assistant',
    content: 'Booking B-204 arrives on 20 November and stays two nights.',
  },
]

export const answered: QuestionAnswer = {
  conversationId: ids.conversation,
  turnId: ids.turn,
  messageId: ids.answer,
  answer: 'Booking B-204 arrives on 20 November and stays two nights.',
  output: null,
  status: 'completed',
  failure: null,
  toolInvocations: [call],
  approvals: [],
  usage: { inputTokens: 431, outputTokens: 46, cachedInputTokens: 0 },
  cost: costOf(0.00019975),
}

export const waiting: QuestionAnswer = {
  ...answered,
  messageId: null,
  answer: null,
  status: 'waiting_for_approval',
  toolInvocations: [{ ...call, content: '', status: 3, executionTimeSeconds: null }],
  approvals: [
    {
      callId: call.callId,
      messageId: ids.call,
      tool: call.name,
      arguments: call.arguments,
      approvedBy: 'staff',
      deadline: '2026-11-15T09:09:12.503Z',
    },
  ],
  usage: { inputTokens: 198, outputTokens: 21, cachedInputTokens: 0 },
  cost: costOf(0.0000915),
}

export const ticket: RealtimeSessionTicket = {
  sessionId: '<one-time token>',
  conversationId: ids.conversation,
  expiresAt: '2026-11-15T09:21:05.300Z',
  webSocketPath: `/api/v1/Agent/${ids.agent}/realtime?conversationId=${ids.conversation}&sessionId=<one-time token>`,
  supportedInputAudioFormats: ['pcm16'],
  supportedOutputAudioFormats: ['pcm16'],
  maxSessionSeconds: 1800,
  idleTimeoutSeconds: 60,
  providerModelName: 'gpt-realtime-2.1',
}

export const session: RealtimeSession = {
  id: ids.session,
  ...times('2026-11-15T09:20:05.300Z', '2026-11-15T09:23:47.918Z'),
  agentId: ids.agent,
  conversationId: ids.conversation,
  state: 'consumed',
  startedAt: '2026-11-15T09:20:06.114Z',
  endedAt: '2026-11-15T09:23:47.918Z',
  endReason: 'client_left',
  usage: {
    responses: 4,
    totalTokens: 5219,
    inputTokens: 4107,
    inputTextTokens: 2890,
    inputAudioTokens: 1217,
    inputImageTokens: 0,
    cachedTokens: 2304,
    cachedTextTokens: 2112,
    cachedAudioTokens: 192,
    outputTokens: 1112,
    outputTextTokens: 203,
    outputAudioTokens: 909,
  },
  cost: costOf(0.0998816),
  latency: { exchanges: 4, firstAudioP50Ms: 812, firstAudioP95Ms: 1431 },
  rehearsal: false,
}

export const approval: Approval = {
  id: ids.approval,
  ...times('2026-11-15T09:04:12.503Z', '2026-11-15T09:05:30.022Z'),
  conversationId: ids.conversation,
  messageId: ids.call,
  callId: call.callId,
  agentId: ids.agent,
  tool: call.name,
  title: 'Find a booking',
  arguments: call.arguments,
  approvedBy: 'staff',
  state: 'approved',
  deadline: '2026-11-15T09:09:12.503Z',
  decidedBy: { type: 'api_key', id: ids.key, name: 'Booking system, production' },
  decidedAt: '2026-11-15T09:05:29.871Z',
  reason: 'The amount was checked.',
  rehearsal: false,
}

/** The streamed events of the same turn. */
export const turnEvents: readonly TurnEvent[] = [
  { type: 'turn.started', data: { conversationId: ids.conversation, turnId: ids.turn } },
  { type: 'response.text.delta', data: { chatbotId: ids.agent, id: ids.answer, delta: 'Booking B-204 ' } },
  { type: 'response.id', data: { chatbotId: ids.agent, id: ids.answer } },
  { type: 'response.completed', data: { chatbotId: ids.agent } },
]

/** The live events of the same turn, with their cursors. */
export const liveEvents: readonly { readonly id: string; readonly event: LiveEvent }[] = [
  { id: '1794733451102417-88213', event: { type: 'ready', data: {} } },
  {
    id: '1794733451102417-88213',
    event: {
      type: 'changed',
      data: {
        resource: 'Message',
        id: ids.answer,
        change: 'created',
        parentId: ids.conversation,
        endUserId: null,
        externalUserId: null,
        at: '2026-11-15T09:04:13.544Z',
      },
    },
  },
  {
    id: '1794733454104822-88219',
    event: {
      type: 'changed',
      data: {
        resource: 'Conversation',
        id: ids.conversation,
        change: 'updated',
        parentId: null,
        endUserId: null,
        externalUserId: null,
        at: '2026-11-15T09:04:13.544Z',
      },
    },
  },
]
