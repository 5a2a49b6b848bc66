import type { Approval } from '@parley/contract'
import type { ApiClient } from '../api-client.js'
import type { ScriptedHttpServer } from '../scripted-http-server.js'
import type { OpenSession } from './realtime-service.js'
import { customEventsIn, messagesOf } from './spoken-turns.js'
import { playCalls } from './tool-calls.js'

/** A tool that moves money, so a person is asked first. */
export function refundTool({ url }: Pick<ScriptedHttpServer, 'url'>, extra: object = {}) {
  return {
    kind: 'http',
    name: 'refund',
    title: 'Refund',
    description: 'Gives money back.',
    parameters: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
    request: { method: 'POST', url: `${url}/refund` },
    approvalRequired: true,
    ...extra,
  }
}

export const refundCall = (callId: string, amount = 5) => ({
  callId,
  name: 'refund',
  arguments: `{"amount": ${amount}}`,
})

/** The model calls the tool, and the client is asked; answers with what it was told. */
export async function callAndWait(
  { client, provider }: Pick<OpenSession, 'client' | 'provider'>,
  callId: string,
  amount = 5,
) {
  playCalls(provider, `resp_${callId}`, [refundCall(callId, amount)])
  return takeQuestion({ client })
}

/** The call as a later session tells it its provider. */
export const callItem = (callId: string) => ({
  type: 'function_call',
  call_id: callId,
  name: 'refund',
  arguments: '{"amount":5}',
})

export const outputItem = (callId: string, output: string) => ({
  type: 'function_call_output',
  call_id: callId,
  output,
})

/** What the provider is told of the past: the items of a new session, so many of them. */
export async function pastItems({ provider }: Pick<OpenSession, 'provider'>, count: number) {
  const items: unknown[] = []
  while (items.length < count) {
    const { item } = (await provider.inbox.takeType('conversation.item.create')) as { item: object }
    items.push(item)
  }
  return items
}

/** Takes the two events by which a client is asked. */
export async function takeQuestion({ client }: Pick<OpenSession, 'client'>) {
  const start = await client.inbox.takeType('response.function_invocation.start')
  const waiting = await client.inbox.takeJson()
  return { start, waiting } as {
    start: { data: { id: string; callId: string; approvalRequired: boolean } }
    waiting: { type: string; data: { callId: string; messageId: string; timeoutSeconds: number } }
  }
}

/** The approvals of a conversation, newest first, as the API answers them. */
export async function approvalsOf(api: ApiClient, conversationId: string): Promise<Approval[]> {
  const path = `/api/v1/Approval?ConversationId=${conversationId}`
  return (await api.call<{ items: Approval[] }>('GET', path)).body.items
}

export function decide(
  api: ApiClient,
  conversationId: string,
  callId: string,
  decision: 'approve' | 'reject',
  reason?: string,
) {
  const body = { callId, decision, ...(reason !== undefined && { reason }) }
  return api.call<Approval & { errorCode: string; detail: string }>(
    'POST',
    `/api/v1/Conversation/${conversationId}/approval`,
    { body },
  )
}

/** What stands in the conversation about its calls: status and content of each. */
export async function callMessages(api: ApiClient, conversationId: string) {
  const messages = await messagesOf(api, conversationId)
  return messages
    .filter(({ role }) => role === 'tool' || role === 'subagent')
    .map(({ id, role, name, status, content }) => ({ id, role, name, status, content }))
}

/** The types of the service's own events that a client has got so far. */
export const customTypes = ({ client }: Pick<OpenSession, 'client'>) =>
  customEventsIn(client).map(({ type }) => type)

/** Approves the oldest call that waits, as staff do. */
export async function approveWaiting(api: ApiClient): Promise<void> {
  const waiting = await api.call<{ items: Approval[] }>('GET', '/api/v1/Approval?IsWaiting=true&Order=oldest')
  const [approval] = waiting.body.items
  if (approval === undefined) throw new Error('No call waits.')
  await decide(api, approval.conversationId, approval.callId, 'approve')
}
