import type { Approval } from '@parley/contract'
import type { ApiClient } from '../api-client.js'
import type { ScriptedHttpServer } from '../scripted-http-server.js'
import type { OpenSession } from './realtime-service.js'
import { customEventsIn, messagesOf } from './spoken-turns.js'
import { playCalls } from './tool-calls.js'

/** A tool that moves money, so a person must approve it. */
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

/** Lets the model call the tool. Returns the approval event of the client. */
export async function callAndWait(
  { client, provider }: Pick<OpenSession, 'client' | 'provider'>,
  callId: string,
  amount = 5,
) {
  playCalls(provider, `resp_${callId}`, [refundCall(callId, amount)])
  return takeQuestion({ client })
}

/** The call as a later session sends it to its provider. */
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

/** The conversation history that the provider gets: this number of items of a new session. */
export async function pastItems({ provider }: Pick<OpenSession, 'provider'>, count: number) {
  const items: unknown[] = []
  while (items.length < count) {
    const { item } = (await provider.inbox.takeType('conversation.item.create')) as { item: object }
    items.push(item)
  }
  return items
}

/** Takes the two events that request an approval from a client. */
export async function takeQuestion({ client }: Pick<OpenSession, 'client'>) {
  const start = await client.inbox.takeType('response.function_invocation.start')
  const waiting = await client.inbox.takeJson()
  return { start, waiting } as {
    start: { data: { id: string; callId: string; approvalRequired: boolean } }
    waiting: { type: string; data: { callId: string; messageId: string; timeoutSeconds: number } }
  }
}

/** The approvals of a conversation, newest first, as the API returns them. */
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

/** The stored calls of the conversation: status and content of each. */
export async function callMessages(api: ApiClient, conversationId: string) {
  const messages = await messagesOf(api, conversationId)
  return messages
    .filter(({ role }) => role === 'tool' || role === 'subagent')
    .map(({ id, role, name, status, content }) => ({ id, role, name, status, content }))
}

/** The types of the service's own events that a client has received so far. */
export const customTypes = ({ client }: Pick<OpenSession, 'client'>) =>
  customEventsIn(client).map(({ type }) => type)

/** Approves the oldest waiting call, as staff do. */
export async function approveWaiting(api: ApiClient): Promise<void> {
  const waiting = await api.call<{ items: Approval[] }>('GET', '/api/v1/Approval?IsWaiting=true&Order=oldest')
  const [approval] = waiting.body.items
  if (approval === undefined) throw new Error('No call is waiting.')
  await decide(api, approval.conversationId, approval.callId, 'approve')
}
