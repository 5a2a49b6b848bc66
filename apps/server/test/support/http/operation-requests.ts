import type { Operation } from '@parley/contract'
import { exampleOf } from '@parley/contract/openapi'
import { v7 as uuid } from 'uuid'
import { expect, vi } from 'vitest'
import type { ApiClient, Credentials } from '../api-client.js'
import { addWaitingApproval } from '../approvals.js'
import { uploaded } from '../files/upload.js'
import { addGrantedClient } from '../mcp/granted-client.js'
import { addMember, addPerson } from '../people/signed-in.js'
import { sharedAnsweringModel } from '../questions/answering-model.js'
import { makeTextAgent } from '../realtime/text-agents.js'
import type { RunningService } from '../start-service.js'
import { makePhoneCall } from '../stores/phone-records.js'
import { sharedTwilio } from '../telephone/scripted-twilio.js'
import { nowhere } from '../webhooks/nowhere.js'
import type { RawRequest } from './send.js'

/** The address of the agents' model. A service whose operations are all called must be able to reach it. */
export const modelHosts = { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' }

/** Creates a resource for each name of a path parameter and returns the parameter's value. */
const makers: Readonly<Record<string, (client: ApiClient) => Promise<string>>> = {
  agentId: createAgent,
  // Without a key, so that testing the connection sends no request.
  connectionId: (client) => create(client, '/api/v1/Connection', { name: 'Provider', kind: 'openai' }),
  budgetId: (client) =>
    create(client, '/api/v1/Budget', { name: 'All of it', period: 'month', limit: { amount: 500 } }),
  taskId: (client) => create(client, '/api/v1/Task', { title: 'Water the plants' }),
  apiKeyId: (client) => create(client, '/api/v1/ApiKey', { name: 'Reader', scopes: ['agent:read'] }),
  webhookId: createWebhook,
  phoneConnectionId: createPhoneConnection,
  // Its name does not resolve.
  mcpAuthorizationId: (client) => create(client, '/api/v1/McpAuthorization', { serverUrl: `${nowhere}mcp` }),
  invitationId: (client) =>
    create(client, '/api/v1/Invitation', { email: `${uuid()}@example.com`, role: 'viewer' }),
  // Every agent has its first revision from its creation.
  number: async () => '1',
  conversationId: async (client) => (await createSession(client)).conversationId,
  async endUserId(client) {
    const externalUserId = uuid()
    const { conversationId } = await createSession(client, { externalUserId })
    const { body } = await client.call<{ endUserId: string }>('GET', `/api/v1/Conversation/${conversationId}`)
    return body.endUserId
  },
  async realtimeSessionId(client) {
    const { conversationId } = await createSession(client)
    const path = `/api/v1/RealtimeSession?ConversationId=${conversationId}`
    const { body } = await client.call<{ items: { id: string }[] }>('GET', path)
    return body.items[0]?.id ?? ''
  },
  async externalId(client) {
    const externalId = `crm/${uuid()}`
    await create(client, '/api/v1/Task', { title: 'Water the plants', externalId })
    return externalId
  },
}

/** Operations whose parameters belong together or need rows that no API call can create. */
const preparations: Readonly<
  Record<
    string,
    (running: RunningService, credentials: Credentials, example: unknown) => Promise<Record<string, string>>
  >
> = {
  async decideApproval({ service }, { organizationId }, example) {
    const { callId } = example as { readonly callId: string }
    const { conversationId } = await addWaitingApproval(service.database.stores, organizationId, { callId })
    return { conversationId }
  },
  upsertAgent: keptResource('/api/v1/Agent'),
  upsertConnection: keptResource('/api/v1/Connection'),
  upsertWebhook: keptResource('/api/v1/Webhook'),
  upsertBudget: keptResource('/api/v1/Budget'),
  upsertPhoneConnection: keptResource('/api/v1/PhoneConnection'),
  createPhoneNumber: phoneNumber,
  getPhoneNumber: phoneNumber,
  replacePhoneNumber: phoneNumber,
  upsertPhoneNumber: phoneNumber,
  patchPhoneNumber: phoneNumber,
  deletePhoneNumber: phoneNumber,
  makeCall: callableNumber,
  transferPhoneCall: activeCall,
  sendPhoneCallDigits: activeCall,
  getPhoneCall: endedCall,
  hangUpPhoneCall: endedCall,
  askAgent: async ({ client }, credentials) => ({ agentId: await createTextAgent(client.as(credentials)) }),
  redeliverWebhookDelivery: testedWebhook,
  createEndUserFact: factOwner,
  patchEndUserFact: storedFact,
  deleteEndUserFact: storedFact,
  async runTask({ client }, credentials) {
    const caller = client.as(credentials)
    const agentId = await createTextAgent(caller)
    return { taskId: await create(caller, '/api/v1/Task', { title: 'Water the plants', agentId }) }
  },
  deleteMcpGrant: async (running, { organizationId }) => ({
    mcpGrantId: await addGrantedClient(running, organizationId),
  }),
  patchMember: joinedMember,
  deleteMember: joinedMember,
  getAgentTest: storedTest,
  replaceAgentTest: storedTest,
  deleteAgentTest: storedTest,
  async startAgentTestRun({ client }, credentials) {
    const { agentId } = await createAgentTest(client.as(credentials))
    return { agentId }
  },
  getAgentTestRun: startedTestRun,
  stopAgentTestRun: startedTestRun,
  getTurn: askedTurn,
  followTurn: askedTurn,
  stopTurn: askedTurn,
  getTemporaryFile: uploadedFile,
  getTemporaryFileContent: uploadedFile,
  deleteTemporaryFile: uploadedFile,
  async testAgentTool({ client }, credentials) {
    const name = `clock_${uuid()}`
    const tool = { kind: 'builtin', name, description: 'Tells the time.', builtin: 'current_time' }
    const agentId = await create(client.as(credentials), '/api/v1/Agent', { name: 'Clock', tools: [tool] })
    return { agentId, toolName: name }
  },
}

/** Parameters that count revisions or similar: every organization has the same values. */
export const countedParams: readonly string[] = ['number']

/** Names that the caller chooses. A missing resource is created under them, so they are never absent. */
export const chosenParams: readonly string[] = ['externalId']

/** Inserts a resource with the external id, which is then replaced. */
function keptResource(path: string): (typeof preparations)[string] {
  return async ({ client }, credentials, example) => {
    const externalId = `files/${uuid()}`
    await create(client.as(credentials), path, { ...Object(example), externalId })
    return { externalId }
  }
}

/** An agent that can speak, with a connection to a provider with realtime models. */
async function createAgent(client: ApiClient): Promise<string> {
  const connectionId = await create(client, '/api/v1/Connection', { name: 'Provider', kind: 'openai' })
  return create(client, '/api/v1/Agent', { name: 'Concierge', connectionId })
}

/** An agent that answers in text. The service must allow what `modelHosts` lists. */
async function createTextAgent(client: ApiClient): Promise<string> {
  return makeTextAgent({ client }, await sharedAnsweringModel(), { name: 'Concierge' })
}

/** A test by voice. Its run has no conversation, and ends at once. */
async function createAgentTest(client: ApiClient): Promise<{ agentId: string; agentTestId: string }> {
  const agentId = await createAgent(client)
  const definition = 'tests: [{ name: speaks, channel: voice, turns: [{ user: Hello }] }]'
  const path = `/api/v1/Agent/${agentId}/test`
  return { agentId, agentTestId: await create(client, path, { name: 'Voice', definition }) }
}

function storedTest({ client }: RunningService, credentials: Credentials): Promise<Record<string, string>> {
  return createAgentTest(client.as(credentials))
}

/** A test run that has ended, so that nothing changes later. */
async function startedTestRun(
  { client }: RunningService,
  credentials: Credentials,
): Promise<Record<string, string>> {
  const caller = client.as(credentials)
  const { agentId } = await createAgentTest(caller)
  const path = `/api/v1/Agent/${agentId}/test-run`
  const { body: run } = await caller.call<{ id: string }>('POST', path, { body: {} })
  const state = async () => (await caller.call<{ state: string }>('GET', `${path}/${run.id}`)).body.state
  await vi.waitFor(async () => expect(await state()).toBe('completed'), { timeout: 10_000, interval: 20 })
  return { agentId, agentTestRunId: run.id }
}

/** A question that was answered. */
async function askedTurn(
  { client }: RunningService,
  credentials: Credentials,
): Promise<Record<string, string>> {
  const asker = client.as(credentials)
  const path = `/api/v1/Agent/${await createTextAgent(asker)}/question`
  const { body } = await asker.call<Record<string, string>>('POST', path, { body: { question: 'Hello.' } })
  return { conversationId: body.conversationId ?? '', turnId: body.turnId ?? '' }
}

async function joinedMember(
  { service }: RunningService,
  { organizationId }: Credentials,
): Promise<Record<string, string>> {
  const { stores } = service.database
  const { id: personId } = await addPerson(stores)
  return { memberId: await addMember(stores, { organizationId, personId, role: 'viewer' }) }
}

async function uploadedFile(
  { url }: RunningService,
  credentials: Credentials,
): Promise<Record<string, string>> {
  const file = await uploaded({ ...credentials, url }, { name: 'note.txt', content: 'The roof is new.' })
  return { fileId: file.id }
}

/** An end user, and the agent in the body. */
async function factOwner({ client }: RunningService, credentials: Credentials) {
  const caller = client.as(credentials)
  const { conversationId } = await createSession(caller, { externalUserId: uuid() })
  const path = `/api/v1/Conversation/${conversationId}`
  const { body } = await caller.call<{ endUserId: string; agentId: string }>('GET', path)
  return { endUserId: body.endUserId, agentId: body.agentId }
}

async function storedFact(
  running: RunningService,
  credentials: Credentials,
): Promise<Record<string, string>> {
  const { endUserId, agentId } = await factOwner(running, credentials)
  const fact = { agentId, text: 'Likes tea.' }
  const path = `/api/v1/EndUser/${endUserId}/fact`
  return { endUserId, endUserFactId: await create(running.client.as(credentials), path, fact) }
}

/** A webhook whose host name does not resolve. */
function createWebhook(client: ApiClient): Promise<string> {
  const webhook = { name: 'Nobody', url: nowhere, events: ['webhook.failing'] }
  return create(client, '/api/v1/Webhook', webhook)
}

/** A phone connection whose provider's name does not resolve. */
function createPhoneConnection(client: ApiClient): Promise<string> {
  const account = { kind: 'twilio', accountId: 'AC1', secret: 'secret', baseUrl: nowhere.slice(0, -1) }
  return create(client, '/api/v1/PhoneConnection', { name: 'Provider', ...account })
}

/** A phone number with an external id, its agent and its phone connection. */
async function phoneNumber(
  { client }: RunningService,
  credentials: Credentials,
): Promise<Record<string, string>> {
  const owner = client.as(credentials)
  const references = {
    agentId: await createAgent(owner),
    phoneConnectionId: await createPhoneConnection(owner),
  }
  const externalId = `files/${uuid()}`
  const number = { name: 'Desk', number: '+4930999999', externalId, ...references }
  return { ...references, externalId, phoneNumberId: await create(owner, '/api/v1/PhoneNumber', number) }
}

/** An agent, and the number in the example of a call, which the provider accepts. */
async function callableNumber({ client }: RunningService, credentials: Credentials) {
  const owner = client.as(credentials)
  const agentId = await createAgent(owner)
  await create(owner, '/api/v1/PhoneNumber', {
    ...{ name: 'Desk', number: '+4930123456', agentId },
    phoneConnectionId: await createAnsweringConnection(owner),
  })
  return { agentId }
}

/** An active call that the provider can transfer. */
async function activeCall(
  { client, service }: RunningService,
  { organizationId, ...credentials }: Credentials,
) {
  const phoneConnectionId = await createAnsweringConnection(client.as({ organizationId, ...credentials }))
  const call = makePhoneCall(organizationId, {
    ...{ phoneConnectionId, endUserId: null, state: 'active', endReason: null, endedAt: null },
    // The service would end the call of an instance that is not alive.
    ...{ instanceId: null, endRequestedAt: null, digitsRequested: null },
  })
  await service.database.stores.phoneCalls.insert(call)
  return { phoneCallId: call.id }
}

/** A phone connection whose provider accepts everything. */
async function createAnsweringConnection(client: ApiClient): Promise<string> {
  const { baseUrl } = await sharedTwilio()
  return create(client, '/api/v1/PhoneConnection', {
    ...{ name: 'Provider', kind: 'twilio', accountId: 'AC1', secret: 'secret', baseUrl },
    ...{ allowedPrefixes: ['+49'], maxCalls: 1000, maxCallsPerHour: 100_000 },
  })
}

/** A call that has ended. */
async function endedCall({ service }: RunningService, { organizationId }: Credentials) {
  const call = makePhoneCall(organizationId, { endUserId: null })
  await service.database.stores.phoneCalls.insert(call)
  return { phoneCallId: call.id }
}

/** A webhook with a failed delivery. */
async function testedWebhook(
  { client }: RunningService,
  credentials: Credentials,
): Promise<Record<string, string>> {
  const owner = client.as(credentials)
  const webhookId = await createWebhook(owner)
  const { body } = await owner.call<{ id: string }>('POST', `/api/v1/Webhook/${webhookId}/test`)
  return { webhookId, deliveryId: body.id }
}

/** A realtime session of a new agent. The provider is called only when its socket opens. */
async function createSession(client: ApiClient, body: object = {}): Promise<{ conversationId: string }> {
  const path = `/api/v1/Agent/${await createAgent(client)}/realtime-session`
  return (await client.call<{ conversationId: string }>('POST', path, { body })).body
}

async function create(client: ApiClient, path: string, body: object): Promise<string> {
  const answer = await client.call<{ id: string }>('POST', path, { body })
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`)
  return answer.body.id
}

export function paramNamesOf(operation: Operation): string[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

/** Parameter values of an operation that match no resource. */
export function unknownParams(operation: Operation): Record<string, string> {
  return Object.fromEntries(
    paramNamesOf(operation).map((name) => [name, countedParams.includes(name) ? '1' : uuid()]),
  )
}

/** Parameter values of an operation, each for a new resource of the caller's organization. */
export async function makeParams(
  operation: Operation,
  running: RunningService,
  credentials: Credentials = running,
): Promise<Record<string, string>> {
  const prepare = preparations[operation.operationId]
  if (prepare) return prepare(running, credentials, operation.body && exampleOf(operation.body))
  const client = running.client.as(credentials)
  const params: Record<string, string> = {}
  for (const name of paramNamesOf(operation)) {
    const make = makers[name]
    if (!make)
      throw new Error(
        `${operation.operationId} has the unknown path parameter ${name}. Add it to makers in operation-requests.ts.`,
      )
    params[name] = await make(client)
  }
  return params
}

/**
 * The request of an operation as in the reference: the path filled in, the example as the body. Parameters that are
 * fields of the example replace them.
 */
export function requestOf(
  operation: Operation,
  params: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): RawRequest {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const request = {
    ...{ method: operation.method, path, headers },
    ...(operation.isEndless && { isEndless: operation.isEndless }),
  }
  if (operation.form) {
    const part = 'Content-Disposition: form-data; name="file"; filename="note.txt"\r\n\r\nThe roof is new.'
    return {
      ...request,
      headers: { 'content-type': 'multipart/form-data; boundary=part', ...headers },
      body: `--part\r\n${part}\r\n--part--\r\n`,
    }
  }
  if (!operation.body) return request
  return {
    ...request,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(filled(exampleOf(operation.body) as object, params)),
  }
}

function filled(example: object, params: Readonly<Record<string, string>>): object {
  const given = Object.entries(params).filter(([name]) => name in example)
  return { ...example, ...Object.fromEntries(given) }
}

export function headersOf({ apiKey, organizationId }: Credentials): Record<string, string> {
  return { 'x-api-key': apiKey, 'x-org-id': organizationId }
}
