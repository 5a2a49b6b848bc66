import type {
  AgentEntry,
  AgentTool,
  AgentToolInput,
  BudgetEntry,
  ConnectionEntry,
  WebhookEntry,
} from '@parley/contract'
import type {
  Agent,
  AgentInput,
  ApiPromise,
  Budget,
  BudgetInput,
  ChangeOptions,
  Connection,
  ConnectionInput,
  DryRunOptions,
  Parley,
  RequestOptions,
  Webhook,
  WebhookInput,
} from '@parley/sdk'

/** What can be kept in files, in the order in which it is made: what is named stands before what names it. */
export const kindNames = ['connections', 'agents', 'webhooks', 'budgets'] as const
export type KindName = (typeof kindNames)[number]

/** A resource in the words of the files, without its secrets, all defaults filled in: what is compared and shown. */
export type Form = Readonly<Record<string, unknown>>

/** What the service stores, as far as all kinds share it. */
export interface Stored {
  readonly id: string
  readonly name: string
  readonly externalId: string | null
  readonly managedBy: string | null
}

/** Where an entry names another resource. */
export interface Reference {
  readonly kind: KindName
  /** As the file has it. */
  readonly name: string
  /** Where in the entry. */
  readonly path: readonly (string | number)[]
}

/** How a resource is called in the files. */
export type NameOf = (kind: KindName, id: string) => string

/** The id behind a reference; null where what it names is yet to be made. */
export type IdOf = (kind: KindName, name: string) => string | null

/** What is sent of every kind besides its own fields. */
export interface Marks {
  readonly externalId: string
  readonly managedBy: string
}

/** Names of the headers that each tool has, by the name of the tool. */
export type HeaderNames = ReadonlyMap<string, readonly string[]>

/** The calls of one kind of resource. */
interface Calls<Resource, Input> {
  list(query: { Limit?: number }): AsyncIterable<Resource>
  get(id: string, options?: RequestOptions): ApiPromise<Resource>
  create(body: Input, options?: DryRunOptions): ApiPromise<Resource>
  replace(id: string, body: Input, options?: ChangeOptions & DryRunOptions): ApiPromise<Resource>
  delete(id: string, options?: ChangeOptions): ApiPromise<void>
}

/** One kind of resource: how its entries and what is stored become each other. */
export interface KeptKind<Entry, Resource extends Stored, Input> {
  readonly name: KindName
  /** Of one of them, for sentences. */
  readonly noun: string
  calls(parley: Parley): Calls<Resource, Input>
  referencesOf(entry: Entry): readonly Reference[]
  /** References are as `rename` says. */
  formOfEntry(entry: Entry, rename: (kind: KindName, name: string) => string): Form
  formOfStored(stored: Resource, nameOf: NameOf): Form
  /** What of it is secret, and so cannot be compared here. */
  hasSecrets(entry: Entry): boolean
  headerNamesOf(stored: Resource): HeaderNames
  /** A reference to what is yet to be made is left out, which only a dry run may do. */
  bodyOf(entry: Entry, idOf: IdOf, besides: { marks: Marks; headerNames: HeaderNames }): Input
  /** How a field of the API is called in the files. */
  readonly fieldNames: Readonly<Record<string, string>>
}

const noHeaders: HeaderNames = new Map()

type Rename = (kind: KindName, name: string) => string

export const connectionKind: KeptKind<ConnectionEntry, Connection, ConnectionInput> = {
  name: 'connections',
  noun: 'connection',
  calls: (parley) => parley.connections,
  referencesOf: ({ chatConnection }) =>
    chatConnection === null ? [] : [{ kind: 'connections', name: chatConnection, path: ['chatConnection'] }],
  formOfEntry({ id: _, apiKey: __, models, chatConnection, ...entry }, rename) {
    const { chat = null, realtime = null, transcription = null, speech = null } = models
    return {
      ...entry,
      models: { chat, realtime, transcription, speech },
      chatConnection: renamed('connections', chatConnection, rename),
    }
  },
  formOfStored({ name, kind, baseUrl, models, chatConnectionId, ...stored }, nameOf) {
    const { realtimeEnabled, governanceDisabled, isDefault } = stored
    const switches = { realtimeEnabled, governanceDisabled, isDefault }
    const chatConnection = renamed('connections', chatConnectionId, nameOf)
    return { name, kind, baseUrl, models, ...switches, chatConnection }
  },
  hasSecrets: ({ apiKey }) => apiKey !== undefined,
  headerNamesOf: () => noHeaders,
  bodyOf({ id: _, chatConnection, ...entry }, idOf, { marks }) {
    return { ...entry, chatConnectionId: idOfOne('connections', chatConnection, idOf), ...marks }
  },
  fieldNames: { chatConnectionId: 'chatConnection' },
}

export const agentKind: KeptKind<AgentEntry, Agent, AgentInput> = {
  name: 'agents',
  noun: 'agent',
  calls: (parley) => parley.agents,
  referencesOf: ({ connection, subAgents }) => [
    ...(connection === null
      ? []
      : [{ kind: 'connections', name: connection, path: ['connection'] } as const]),
    ...subAgents.map((name, index) => ({ kind: 'agents', name, path: ['subAgents', index] }) as const),
  ],
  formOfEntry: ({ id: _, connection, subAgents, tools, ...entry }, rename) => ({
    ...entry,
    connection: renamed('connections', connection, rename),
    subAgents: subAgents.map((name) => rename('agents', name)),
    tools: tools.map(withHeaderNames),
  }),
  formOfStored({ connectionId, subAgentIds, tools, ...stored }, nameOf) {
    const { id: _, createdAt: __, updatedAt: ___, externalId: ____, managedBy: _____, ...fields } = stored
    const connection = renamed('connections', connectionId, nameOf)
    return { ...fields, connection, subAgents: subAgentIds.map((id) => nameOf('agents', id)), tools }
  },
  hasSecrets: ({ tools }) => tools.some((tool) => Object.keys(headersOf(tool)).length > 0),
  headerNamesOf: ({ tools }) => new Map(tools.map((tool) => [tool.name, storedNames(tool)])),
  bodyOf: ({ id: _, connection, subAgents, tools, ...entry }, idOf, { marks, headerNames }) => ({
    ...entry,
    connectionId: idOfOne('connections', connection, idOf),
    subAgentIds: idsOf(subAgents, idOf),
    tools: tools.map((tool) => clearingHeaders(tool, headerNames)),
    ...marks,
  }),
  fieldNames: { connectionId: 'connection', subAgentIds: 'subAgents' },
}

export const webhookKind: KeptKind<WebhookEntry, Webhook, WebhookInput> = {
  name: 'webhooks',
  noun: 'webhook',
  calls: (parley) => parley.webhooks,
  referencesOf: ({ agents }) =>
    agents.map((name, index) => ({ kind: 'agents', name, path: ['agents', index] }) as const),
  formOfEntry: ({ id: _, agents, ...entry }, rename) => ({
    ...entry,
    agents: agents.map((name) => rename('agents', name)),
  }),
  formOfStored: ({ name, url, events, agentIds, payload, isEnabled }, nameOf) => ({
    ...{ name, url, events, payload, isEnabled },
    agents: agentIds.map((id) => nameOf('agents', id)),
  }),
  hasSecrets: () => false,
  headerNamesOf: () => noHeaders,
  bodyOf: ({ id: _, agents, ...entry }, idOf, { marks }) => ({
    ...entry,
    agentIds: idsOf(agents, idOf),
    ...marks,
  }),
  fieldNames: { agentIds: 'agents' },
}

export const budgetKind: KeptKind<BudgetEntry, Budget, BudgetInput> = {
  name: 'budgets',
  noun: 'budget',
  calls: (parley) => parley.budgets,
  referencesOf: ({ agent }) => (agent === null ? [] : [{ kind: 'agents', name: agent, path: ['agent'] }]),
  formOfEntry: ({ id: _, agent, limit, ...entry }, rename) => ({
    ...entry,
    limit: Object.fromEntries(Object.entries(limit).filter(([, value]) => typeof value === 'number')),
    agent: renamed('agents', agent, rename),
  }),
  formOfStored: ({ name, agentId, apiKeyId, period, limit, warnAtPercent, onExceeded }, nameOf) => ({
    ...{ name, apiKeyId, period, limit, warnAtPercent, onExceeded },
    agent: renamed('agents', agentId, nameOf),
  }),
  hasSecrets: () => false,
  headerNamesOf: () => noHeaders,
  bodyOf: ({ id: _, agent, ...entry }, idOf, { marks }) => ({
    ...entry,
    agentId: idOfOne('agents', agent, idOf),
    ...marks,
  }),
  fieldNames: { agentId: 'agent' },
}

function renamed(kind: KindName, name: string | null, rename: Rename): string | null {
  return name === null ? null : rename(kind, name)
}

function idOfOne(kind: KindName, name: string | null, idOf: IdOf): string | null {
  return name === null ? null : idOf(kind, name)
}

function idsOf(names: readonly string[], idOf: IdOf): string[] {
  return names.map((name) => idOf('agents', name)).filter((id) => id !== null)
}

function headersOf(tool: AgentToolInput): Readonly<Record<string, string | null>> {
  if (tool.kind === 'builtin') return {}
  return (tool.kind === 'http' ? tool.request.headers : tool.server.headers) ?? {}
}

function storedNames(tool: Agent['tools'][number]): readonly string[] {
  if (tool.kind === 'builtin') return []
  return tool.kind === 'http' ? tool.request.headerNames : tool.server.headerNames
}

/** A tool as the service answers it: the names of its headers, and not their values. */
function withHeaderNames(tool: AgentToolInput): AgentTool {
  const set = Object.entries(headersOf(tool)).filter(([, value]) => value !== null)
  const headerNames = set.map(([name]) => name).sort()
  if (tool.kind === 'builtin') return tool
  if (tool.kind === 'http') {
    const { headers: _, ...request } = tool.request
    return { ...tool, request: { ...request, headerNames } }
  }
  const { headers: _, ...server } = tool.server
  return { ...tool, server: { ...server, headerNames } }
}

/** The API leaves a header as it is that is not sent: one that the file does not have is cleared. */
function clearingHeaders(tool: AgentToolInput, stored: HeaderNames): AgentToolInput {
  const given = headersOf(tool)
  const known = new Set(Object.keys(given).map((name) => name.toLowerCase()))
  const gone = (stored.get(tool.name) ?? []).filter((name) => !known.has(name.toLowerCase()))
  const headers = { ...given, ...Object.fromEntries(gone.map((name) => [name, null])) }
  if (tool.kind === 'builtin' || Object.keys(headers).length === 0) return tool
  return tool.kind === 'http'
    ? { ...tool, request: { ...tool.request, headers } }
    : { ...tool, server: { ...tool.server, headers } }
}
