import type { OpenSession, RealtimeTestService } from './realtime-service.js'
import type { ProviderSession } from './scripted-provider.js'

export interface ToolSession extends OpenSession {
  readonly agentId: string
}

/** A session of a new agent with these tools, on the connection of the service's first agent. */
export async function openToolSession(
  running: RealtimeTestService,
  agent: object,
  request: object = {},
): Promise<ToolSession> {
  const agentId = await makeToolAgent(running, agent)
  return { ...(await openSessionOf(running, agentId, request)), agentId }
}

export async function makeToolAgent(running: RealtimeTestService, agent: object): Promise<string> {
  const speaker = await running.client.call<{ connectionId: string }>(
    'GET',
    `/api/v1/Agent/${running.agentId}`,
  )
  const made = await running.client.call<{ id: string }>('POST', '/api/v1/Agent', {
    body: { name: 'Worker', connectionId: speaker.body.connectionId, ...agent },
  })
  if (made.status !== 201) throw new Error(made.text)
  return made.body.id
}

export async function openSessionOf(
  running: RealtimeTestService,
  agentId: string,
  request: object = {},
): Promise<OpenSession> {
  const session = await running.openUnconfigured(request, agentId)
  await session.provider.inbox.takeType('session.update')
  return session
}

export interface PlayedCall {
  readonly callId: string
  readonly name: string
  readonly arguments?: string
}

/** Plays a response with these calls, with every event that a provider sends. */
export function playCalls(provider: ProviderSession, responseId: string, calls: readonly PlayedCall[]): void {
  beginCalls(provider, responseId, calls)
  endResponse(provider, responseId, calls)
}

export function beginCalls(
  provider: ProviderSession,
  responseId: string,
  calls: readonly PlayedCall[],
): void {
  provider.send({
    type: 'response.created',
    event_id: 'e',
    response: { id: responseId, status: 'in_progress' },
  })
  for (const call of calls) {
    const item = itemOf(call)
    provider.send({
      type: 'response.output_item.added',
      response_id: responseId,
      item: { ...item, arguments: '', status: 'in_progress' },
    })
    provider.send({ type: 'conversation.item.added', item })
    provider.send({
      type: 'response.function_call_arguments.done',
      response_id: responseId,
      item_id: item.id,
      call_id: item.call_id,
      name: item.name,
      arguments: item.arguments,
    })
    provider.send({ type: 'response.output_item.done', response_id: responseId, item })
  }
}

export function endResponse(
  provider: ProviderSession,
  responseId: string,
  calls: readonly PlayedCall[] = [],
  status = 'completed',
): void {
  const response = { id: responseId, status, output: calls.map(itemOf) }
  provider.send({ type: 'response.done', event_id: 'e', response })
}

function itemOf({ callId, name, arguments: given = '{}' }: PlayedCall) {
  return {
    id: `item_${callId}`,
    type: 'function_call',
    status: 'completed',
    call_id: callId,
    name,
    arguments: given,
  }
}

/** Takes the next output that the service sends and echoes it as a provider does. */
export async function takeOutput(
  provider: ProviderSession,
): Promise<{ readonly callId: string; readonly output: string }> {
  const event = (await provider.inbox.takeType('conversation.item.create')) as {
    item: { type: string; call_id: string; output: string }
  }
  provider.send({ type: 'conversation.item.added', item: { id: `out_${event.item.call_id}`, ...event.item } })
  return { callId: event.item.call_id, output: event.item.output }
}
