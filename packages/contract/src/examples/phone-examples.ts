import type { PhoneCall } from '../phone-call.js'
import type { PhoneCallStatistics } from '../phone-call-statistics.js'
import type { PhoneConnection, PhoneConnectionTest } from '../phone-connection.js'
import type { PhoneNumber } from '../phone-number.js'
import { ids, times } from './hotel.js'

export const phoneConnection: PhoneConnection = {
  id: ids.phoneConnection,
  ...times('2026-11-02T09:20:00.000Z'),
  name: 'Front desk',
  kind: 'twilio',
  accountId: 'AC00000000000000000000000000000000',
  baseUrl: null,
  sip: null,
  isEnabled: true,
  maxCalls: 10,
  allowedPrefixes: ['+49'],
  maxCallsPerHour: 60,
  pricePerMinute: { incoming: 0.0085, outgoing: 0.014 },
  quietHours: { from: '21:00', to: '08:00', timeZone: 'Europe/Berlin' },
  hasSecret: true,
  hasWebhookSecret: false,
  state: 'ready',
  failure: null,
  externalId: null,
  managedBy: null,
}

export const phoneConnectionTest: PhoneConnectionTest = {
  ok: true,
  detail: 'The provider responded and accepted the account.',
  providerStatus: 200,
  durationMilliseconds: 231,
}

export const phoneNumber: PhoneNumber = {
  id: ids.phoneNumber,
  ...times('2026-11-02T09:24:00.000Z'),
  name: 'Reception',
  number: '+4930123456',
  phoneConnectionId: ids.phoneConnection,
  agentId: ids.agent,
  greeting: 'Hotel Aurora, good day. How can I help you?',
  language: 'en-GB',
  turnDetection: { type: 'semantic_vad', eagerness: 'high' },
  allowedCallers: [],
  blockedCallers: [],
  transferTargets: [{ name: 'Night porter', number: '+4930654321' }],
  isEnabled: true,
  externalId: null,
  managedBy: null,
}

export const phoneCall: PhoneCall = {
  id: ids.phoneCall,
  ...times('2026-11-15T09:10:02.118Z', '2026-11-15T09:12:31.402Z'),
  direction: 'incoming',
  from: '+4930765432',
  to: '+4930123456',
  state: 'ended',
  endReason: 'hung_up',
  endDetail: null,
  phoneConnectionId: ids.phoneConnection,
  phoneNumberId: ids.phoneNumber,
  agentId: ids.agent,
  conversationId: ids.conversation,
  realtimeSessionId: ids.session,
  endUserId: null,
  providerCallId: 'CA00000000000000000000000000000000',
  answeredAt: '2026-11-15T09:10:03.020Z',
  endedAt: '2026-11-15T09:12:31.402Z',
  seconds: 148,
}

const figures = {
  calls: 12,
  incoming: 9,
  outgoing: 3,
  answered: 10,
  answeredShare: 0.8333,
  ends: [
    { direction: 'incoming', reason: 'hung_up', calls: 9 },
    { direction: 'outgoing', reason: 'agent_hung_up', calls: 1 },
    { direction: 'outgoing', reason: 'no_answer', calls: 2 },
  ] satisfies PhoneCallStatistics['total']['ends'],
  seconds: 1210.5,
  averageSeconds: 121.05,
}

export const phoneCallStatistics: PhoneCallStatistics = {
  from: '2026-11-15T00:00:00.000Z',
  to: '2026-11-16T00:00:00.000Z',
  total: figures,
  buckets: [{ from: '2026-11-15T00:00:00.000Z', to: '2026-11-16T00:00:00.000Z', ...figures }],
}
