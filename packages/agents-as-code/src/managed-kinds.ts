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

/**
 * The kinds of resources that files can hold, in order of creation: a resource comes before those that refer
 * to it.
 */
export const kindNames = [
  'connections',
  'agents',
  'webhooks',
  'budgets',
  'phoneConnections',
  'phoneNumbers',
] as const
export type KindName = (typeof kindNames)[number]

/** A resource in the form of the files, for comparison and display: without secrets and with all defaults. */
export type Form = Readonly<Record<string, unknown>>

/** The stored fields that all kinds share. */
export interface Stored {
  readonly id: string
  readonly name: string
  readonly externalId: string | null
  readonly managedBy: string | null
}

/** A reference from an entry to another resource. */
export interface Reference {
  readonly kind: KindName
  /** The name as written in the file. */
  readonly name: string
  /** The path of the reference in the entry. */
  readonly path: readonly (string | number)[]
}

/** Returns the name of a resource in the files. */
export type NameOf = (kind: KindName, id: string) => string

/** Returns the id of a referenced resource, or null if it does not exist yet. */
export type IdOf = (kind: KindName, name: string) => string | null

/** Fields that every kind is sent with in addition to its own. */
export interface Marks {
  readonly externalId: string
  readonly managedBy: string
}

/** The header names of each tool, by the tool's name. */
export type HeaderNames = ReadonlyMap<string, readonly string[]>

/** The API calls for one kind of resource. */
interface Calls<Resource, Input> {
  list(query: { Limit?: number }): AsyncIterable<Resource>
  get(id: string, options?: RequestOptions): ApiPromise<Resource>
  create(body: Input, options?: DryRunOptions): ApiPromise<Resource>
  replace(id: string, body: Input, options?: ChangeOptions & DryRunOptions): ApiPromise<Resource>
  delete(id: string, options?: ChangeOptions): ApiPromise<void>
}

/** One kind of resource: how to convert entries and stored resources into each other. */
export interface ManagedKind<Entry, Resource extends Stored, Input> {
  readonly name: KindName
  /** The singular, for messages. */
  readonly noun: string
  calls(parley: Parley): Calls<Resource, Input>
  referencesOf(entry: Entry): readonly Reference[]
  /** References are renamed with `rename`. */
  formOfEntry(entry: Entry, rename: (kind: KindName, name: string) => string): Form
  formOfStored(stored: Resource, nameOf: NameOf): Form
  /** Whether the entry has secrets. They cannot be compared here. */
  hasSecrets(entry: Entry): boolean
  headerNamesOf(stored: Resource): HeaderNames
  /**
   * Returns the request body. Leaves out references to resources that do not exist yet, which is correct
   * only for a dry run.
   */
  bodyOf(entry: Entry, idOf: IdOf, besides: { marks: Marks; headerNames: HeaderNames }): Input
  /** The names in the files of fields whose names differ in the API. */
  readonly fieldNames: Readonly<Record<string, string>>
}

export const noHeaders: HeaderNames = new Map()

type Rename = (kind: KindName, name: string) => string

export const connectionKind: ManagedKind<ConnectionEntry, Connection, ConnectionInput> = {
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
  formOfStored({ name, kind, baseUrl, models, chatConnectionId, realtimeProtocol, ...stored }, nameOf) {
    const { realtimeEnabled, governanceDisabled, isDefault } = stored
    const switches = { realtimeEnabled, governanceDisabled, isDefault }
    const chatConnection = renamed('connections', chatConnectionId, nameOf)
    return { name, kind, baseUrl, models, ...switches, chatConnection, realtimeProtocol }
  },
  hasSecrets: ({ apiKey }) => apiKey !== undefined,
  headerNamesOf: () => noHeaders,
  bodyOf({ id: _, chatConnection, ...entry }, idOf, { marks }) {
    return { ...entry, chatConnectionId: idOfOne('connections', chatConnection, idOf), ...marks }
  },
  fieldNames: { chatConnectionId: 'chatConnection' },
}

export const agentKind: ManagedKind<AgentEntry, Agent, AgentInput> = {
  name: 'agents',
  noun: 'agent',
  calls: (parley) => parley.agents,
  referencesOf: ({ connection, realtimeFallbacks, subAgents }) => [
    ...(connection === null
      ? []
      : [{ kind: 'connections', name: connection, path: ['connection'] } as const]),
    ...realtimeFallbacks.map(
      ({ connection: name }, index) =>
        ({ kind: 'connections', name, path: ['realtimeFallbacks', index, 'connection'] }) as const,
    ),
    ...subAgents.map((name, index) => ({ kind: 'agents', name, path: ['subAgents', index] }) as const),
  ],
  formOfEntry: ({ id: _, connection, realtimeFallbacks, subAgents, tools, ...entry }, rename) => ({
    ...entry,
    connection: renamed('connections', connection, rename),
    realtimeFallbacks: realtimeFallbacks.map(({ connection: name, ...fallback }) => ({
      connection: rename('connections', name),
      ...fallback,
    })),
    subAgents: subAgents.map((name) => rename('agents', name)),
    tools: tools.map(withHeaderNames),
  }),
  formOfStored({ connectionId, realtimeFallbacks, subAgentIds, tools, ...stored }, nameOf) {
    const { id: _, createdAt: __, updatedAt: ___, externalId: ____, managedBy: _____, ...fields } = stored
    const connection = renamed('connections', connectionId, nameOf)
    return {
      ...fields,
      connection,
      realtimeFallbacks: realtimeFallbacks.map(({ connectionId: id, ...fallback }) => ({
        connection: nameOf('connections', id),
        ...fallback,
      })),
      subAgents: subAgentIds.map((id) => nameOf('agents', id)),
      tools,
    }
  },
  hasSecrets: ({ tools }) => tools.some((tool) => Object.keys(headersOf(tool)).length > 0),
  headerNamesOf: ({ tools }) => new Map(tools.map((tool) => [tool.name, storedNames(tool)])),
  bodyOf: (
    { id: _, connection, realtimeFallbacks, subAgents, tools, ...entry },
    idOf,
    { marks, headerNames },
  ) => ({
    ...entry,
    connectionId: idOfOne('connections', connection, idOf),
    realtimeFallbacks: realtimeFallbacks.flatMap(({ connection: name, ...fallback }) => {
      const connectionId = idOf('connections', name)
      return connectionId === null ? [] : [{ connectionId, ...fallback }]
    }),
    subAgentIds: idsOf(subAgents, idOf),
    tools: tools.map((tool) => clearingHeaders(tool, headerNames)),
    ...marks,
  }),
  fieldNames: { connectionId: 'connection', subAgentIds: 'subAgents' },
}

export const webhookKind: ManagedKind<WebhookEntry, Webhook, WebhookInput> = {
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
    name,
    url,
    events,
    payload,
    isEnabled,
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

export const budgetKind: ManagedKind<BudgetEntry, Budget, BudgetInput> = {
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
    name,
    apiKeyId,
    period,
    limit,
    warnAtPercent,
    onExceeded,
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

/** Returns the canonical name of an optional reference. */
export function renamed(kind: KindName, name: string | null, rename: Rename): string | null {
  return name === null ? null : rename(kind, name)
}

/** Returns the id of an optional reference, or null if it does not exist yet. */
export function idOfOne(kind: KindName, name: string | null, idOf: IdOf): string | null {
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

/**
 * Converts a tool to the form in which the service returns it: with the names of its headers, without their
 * values.
 */
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

/**
 * Clears stored headers that the file does not have, because the API keeps a header that a request leaves
 * out.
 */
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
