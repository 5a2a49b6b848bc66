import type { ApiClient } from '../api-client.js'
import { createResource } from './resources.js'

/** The fields of a resource that its example omits. */
export async function completeBodies(client: ApiClient): Promise<Record<string, object>> {
  const { made: connection } = await createResource(client, '/api/v1/Connection', {
    name: 'C',
    kind: 'openai',
  })
  const { made: helper } = await createResource(client, '/api/v1/Agent', { name: 'Helper' })
  const account = { name: 'Provider', kind: 'twilio', accountId: 'AC1' }
  const { made: phoneConnection } = await createResource(client, '/api/v1/PhoneConnection', account)
  const shown = {
    title: 'T',
    imageUrl: 'https://example.com/a.png',
    approvalRequired: true,
    timeoutSeconds: 600,
  }
  const button = { label: 'Open', link: 'https://example.com/' }
  const secretHeaders = { Authorization: 'Bearer secret', 'X-Token': 'secret' }
  const request = {
    method: 'POST',
    url: 'https://example.com/{a}',
    query: { b: '{a}' },
    body: { c: ['{a}'] },
  }
  const parameters = { type: 'object', properties: { a: { type: 'string' } } }
  const http = { kind: 'http', name: 'find', description: 'Finds.', parameters, ...shown, button }
  const mcp = {
    destructiveApprovalRequired: true,
    server: { url: 'https://example.com/mcp', headers: secretHeaders },
  }
  return {
    Agent: {
      ...{ name: 'A', description: 'D', systemMessage: 'S', connectionId: connection.id, model: 'm' },
      ...{
        realtimeModel: 'r',
        voice: 'v',
        firstMessage: 'F',
        exampleQuestions: ['Q'],
        realtimeFallbacks: [{ connectionId: connection.id, model: 'm', voice: 'v', firstMessage: 'F' }],
        variables: [{ name: 'v', description: 'D', default: 'd', required: false }],
        endUserLimits: { questionsPerMinute: 1, concurrentSessions: 2, tokensPerDay: 3, costPerDay: 0.5 },
        conversationRetentionDays: 30,
        icon: '🛎',
        iconColor: '#fff',
        imageUrl: 'https://example.com/b.png',
      },
      subAgentIds: [helper.id],
      memory: 'facts',
      mcpTool: true,
      ...{ externalId: 'A', managedBy: 'hotel' },
      tools: [
        { ...http, request: { ...request, headers: secretHeaders } },
        { kind: 'mcp', name: 'mcp', description: 'M', allowedTools: ['one'], ...shown, button, ...mcp },
        { kind: 'builtin', name: 'now', description: 'N', builtin: 'current_time', ...shown, button },
      ],
    },
    Connection: {
      ...{
        name: 'C',
        kind: 'azure-openai',
        baseUrl: 'https://example.com/',
        apiKey: 'secret',
        isDefault: true,
      },
      ...{ realtimeEnabled: false, governanceDisabled: true, externalId: 'C', managedBy: 'hotel' },
      models: { chat: 'c', realtime: ['r', 's'], transcription: 't', speech: 'v' },
    },
    Webhook: {
      ...{ name: 'W', url: 'https://example.com/hook?key=1', events: ['turn.ended', '*'] },
      ...{ agentIds: [helper.id], payload: 'ids', isEnabled: false, externalId: 'W', managedBy: 'hotel' },
    },
    Budget: {
      ...{ name: 'B', agentId: helper.id, apiKeyId: null, period: 'day', limit: { tokens: 10 } },
      ...{ warnAtPercent: 50, onExceeded: 'end', externalId: 'B', managedBy: 'hotel' },
    },
    PhoneConnection: {
      ...{ name: 'P', kind: 'twilio', accountId: 'AC1', baseUrl: 'https://example.com', secret: 'secret' },
      ...{ isEnabled: false, maxCalls: 3, allowedPrefixes: ['+49'], maxCallsPerHour: 9 },
      quietHours: { from: '21:00', to: '08:00', timeZone: 'Europe/Berlin' },
      pricePerMinute: { incoming: 0, outgoing: 0.02 },
      ...{ externalId: 'P', managedBy: 'hotel' },
    },
    PhoneNumber: {
      ...{ name: 'N', number: '+4930123456', phoneConnectionId: phoneConnection.id, agentId: helper.id },
      ...{
        greeting: 'Hello.',
        language: 'de-AT',
        turnDetection: { type: 'server_vad', silenceMilliseconds: 300 },
      },
      ...{ allowedCallers: ['+49'], blockedCallers: ['+4930'], isEnabled: false },
      transferTargets: [{ name: 'Porter', number: '+4930654321' }],
      ...{ externalId: 'N', managedBy: 'hotel' },
    },
    Task: {
      ...{
        title: 'T',
        description: 'D',
        status: 'failed',
        agentId: helper.id,
        priority: 'urgent',
        result: 'R',
      },
      ...{ externalId: 'E', dueAt: '2030-01-31T09:00:00+02:00', maxAttempts: 5 },
      ...{ externalUserId: 'U', metadata: { plan: 'pro' }, variables: { v: 'V' } },
      ...{ runAt: '2090-01-31T09:00:00+02:00', runDeadlineAt: '2090-01-31T10:00:00+02:00' },
      responseSchema: { type: 'object', properties: { total: { type: 'number' } } },
      ...{ schedule: '0 9 1 1 *', timeZone: 'Europe/Berlin' },
    },
  }
}
