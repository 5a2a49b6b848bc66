import type { Agent, Connection } from '@parley/contract'
import { type Api, makeApi } from '@parley/stage/service/api'
import { addOrganization } from '@parley/stage/service/second-organization'
import type { Tenant } from '../load/tenant.js'
import type { Stage } from '../stage/stage.js'

/**
 * The events that the webhooks of each organization subscribe to. The webhook for messages covers only the
 * text agent.
 */
const subscribedEvents = [
  'task.created',
  'task.run.started',
  'task.run.ended',
  'turn.ended',
  'realtime.session.started',
  'realtime.session.ended',
  'approval.waiting',
] as const

/** Makes two organizations with the same agents, tools and webhooks. */
export async function makeTenants(stage: Stage): Promise<readonly Tenant[]> {
  const second = await addOrganization({ kind: 'postgres', url: stage.postgres.url })
  const tenants: Tenant[] = []
  for (const [index, credentials] of [stage.credentials, second].entries()) {
    const api = makeApi(stage.proxy.url, credentials)
    const agents = await makeAgents(api, stage.outsideUrl)
    const url = `${stage.outsideUrl}/hook`
    const messages = { events: ['conversation.message.created'], agentIds: [agents.textAgentId] }
    await api.call('POST', '/api/v1/Webhook', { name: 'Most', url, events: subscribedEvents })
    await api.call('POST', '/api/v1/Webhook', { name: 'Messages', url, ...messages })
    tenants.push({ index, credentials, ...agents })
  }
  return tenants
}

async function makeAgents(api: Api, outsideUrl: string) {
  const connection = await api.call<Connection>('POST', '/api/v1/Connection', {
    name: 'Chaos',
    kind: 'openai-compatible',
    baseUrl: `${outsideUrl}/v1`,
    apiKey: 'sk-chaos',
    models: { chat: 'chaos', realtime: ['chaos'] },
  })
  const make = async (name: string, tools: readonly object[]) => {
    const body = { name, systemMessage: 'You work.', connectionId: connection.id, tools }
    return (await api.call<Agent>('POST', '/api/v1/Agent', body)).id
  }
  const tool = (name: string, fields: readonly string[], approvalRequired = false) => ({
    kind: 'http',
    name,
    description: `Does ${name}.`,
    approvalRequired,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, {}])),
      required: fields,
    },
    request: { method: 'POST', url: `${outsideUrl}/tool` },
  })
  const shared = [tool('note', ['call']), tool('charge', ['call'], true)]
  return {
    voiceAgentId: await make('Voice', shared),
    textAgentId: await make('Text', [...shared, tool('do_step', ['key', 'step'])]),
  }
}
