import { isIPv6 } from 'node:net'
import { type EnvironmentProvider, environmentProviderOf } from './environment-provider.js'
import type { McpServers } from './mcp-servers.js'
import { type OidcConfig, oidcConfigOf, oidcErrors } from './oidc-config.js'
import { readSettings } from './setting.js'
import { type SettingValues, settings } from './settings.js'
import { unknownNames } from './unknown-names.js'

export type { McpServers } from './mcp-servers.js'

export type RealtimeAccessMode = SettingValues['PARLEY_REALTIME_ACCESS_MODES'][number]
export type RealtimeAudioFormat = SettingValues['PARLEY_REALTIME_INPUT_FORMATS'][number]
export type LogLevel = SettingValues['LOG_LEVEL']

export type DatabaseConfig =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly dataDir: string }

export interface RealtimeConfig {
  readonly enabled: boolean
  readonly accessModes: readonly RealtimeAccessMode[]
  readonly model: string
  readonly transcriptionModel: string
  readonly inputFormats: readonly RealtimeAudioFormat[]
  readonly outputFormats: readonly RealtimeAudioFormat[]
  readonly sessionTtlSeconds: number
  readonly maxSessionSeconds: number
  readonly idleTimeoutSeconds: number
  readonly approvalTimeoutSeconds: number
  readonly maxMessageBytes: number
  readonly providerMaxMessageBytes: number
  readonly providerConnectTimeoutSeconds: number
}

/** The limits of one organization. Error responses use the names of these fields. */
export interface OrganizationConfig {
  readonly requestsPerMinute: number
  readonly sessions: number
  readonly runningTurns: number
  readonly queuedTurns: number
  readonly streams: number
  readonly streamsPerCaller: number
  readonly agents: number
  readonly connections: number
  readonly apiKeys: number
  readonly members: number
  readonly invitations: number
  readonly webhooks: number
  readonly budgets: number
  readonly phoneConnections: number
  readonly phoneNumbers: number
  readonly callsPerHour: number
  readonly tasks: number
  readonly conversations: number
  readonly messages: number
  readonly files: number
  readonly fileBytes: number
}

/** How long finished work is kept. */
export interface RetentionConfig {
  readonly idempotencyHours: number
  readonly turnEventsHours: number
  readonly webhookDeliveriesDays: number
  readonly endedDays: number
  /** Null keeps them permanently. */
  readonly auditDays: number | null
  readonly usageDays: number
}

/** How agents work on tasks. */
export interface TaskConfig {
  readonly runs: number
  readonly runSeconds: number
  readonly retrySeconds: number
  readonly maxSteps: number
}

export interface TracingConfig {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** The attributes of this deployment on every span. */
  readonly resource: Readonly<Record<string, string>>
}

/** The parsed settings, deeply frozen. */
export interface Config {
  readonly host: string
  readonly port: number
  /** An origin without a trailing slash. With PORT=0, a derived origin has port 0 until `withListeningPort`. */
  readonly publicUrl: string
  /** The number of trusted proxies, or their networks. */
  readonly trustProxy: number | readonly string[]
  readonly database: DatabaseConfig
  readonly redisUrl: string | null
  /** Null only with the embedded database: the first start generates a secret in the data directory. */
  readonly secret: string | null
  /** Only decrypts values from before a change of PARLEY_SECRET. Never encrypts. */
  readonly previousSecret: string | null
  readonly bootstrap: { readonly organizationId: string | null; readonly apiKey: string | null }
  /** Null if the environment sets no provider. The built-in engine then answers. */
  readonly environmentProvider: EnvironmentProvider | null
  /** How long people stay signed in: without a request, and in total. */
  readonly signIn: { readonly idleDays: number; readonly days: number }
  /** The identity provider that people can sign in with, or null if none is set. */
  readonly oidc: OidcConfig | null
  readonly realtime: RealtimeConfig
  readonly rateLimitPerMinute: number
  readonly organization: OrganizationConfig
  readonly retention: RetentionConfig
  readonly tasks: TaskConfig
  /** `host` or `host:port`, normalized as in URLs. */
  readonly allowedPrivateHosts: readonly string[]
  readonly mcpServers: McpServers
  readonly chatContextTokens: number
  readonly chatTimeoutSeconds: number
  /** How long a webhook receiver may take to respond. */
  readonly webhookTimeoutSeconds: number
  readonly temporaryFileTtlSeconds: number
  readonly maxFileBytes: number
  readonly drainSeconds: number
  readonly leaseSeconds: number
  readonly workers: number
  /** How the relay reads and writes sockets. */
  readonly relayIo: 'ws' | 'fast'
  /** The UDP ports for the audio of SIP calls. */
  readonly phoneAudioPorts: { readonly first: number; readonly last: number }
  readonly logLevel: LogLevel
  /** The collector for traces, or null if tracing is off. */
  readonly tracing: TracingConfig | null
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly errors: readonly string[] }

/** Parses all settings, or returns every error. An empty variable counts as unset. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): ConfigResult {
  const given = withoutEmpty(env)
  const { values, errors } = readSettings(settings, given)
  const all = [...errors, ...conflicts(given, values), ...unknownNames(given, Object.keys(settings))]
  return all.length === 0 ? { ok: true, config: deepFreeze(configFrom(values)) } : { ok: false, errors: all }
}

/** Returns the config with the actual port. With PORT=0 the system chooses the port. */
export function withListeningPort(config: Config, port: number): Config {
  const isDerived = config.publicUrl === listeningUrl(config.host, config.port)
  const publicUrl = isDerived ? listeningUrl(config.host, port) : config.publicUrl
  return deepFreeze({ ...config, port, publicUrl })
}

function withoutEmpty(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, text] of Object.entries(env)) {
    if (text !== undefined && text !== '') given[name] = text
  }
  return given
}

/**
 * The command works in every shell and needs only Node. It is suggested for new databases only, because an
 * existing database works only with its own secret.
 */
const secretInstructions =
  "To generate one for a new database, run node -p \"require('crypto').randomBytes(48).toString('base64')\" " +
  'and set it as PARLEY_SECRET=… in .env or in the environment of every instance'

/**
 * Checks which variables are set rather than their values, so that an error in DATABASE_URL does not hide
 * another one.
 */
function conflicts(given: Readonly<Record<string, string>>, values: SettingValues): readonly string[] {
  const hasDatabase = given.DATABASE_URL !== undefined
  const errors: string[] = []
  if (hasDatabase && given.PARLEY_SECRET === undefined) {
    errors.push(
      `PARLEY_SECRET is not set, but DATABASE_URL needs it; accepted: ${settings.PARLEY_SECRET.schema.description}. ${secretInstructions}`,
    )
  }
  if (given.PARLEY_SECRET_PREVIOUS !== undefined && given.PARLEY_SECRET === undefined) {
    errors.push(
      'PARLEY_SECRET_PREVIOUS is set, but PARLEY_SECRET is not; accepted: PARLEY_SECRET_PREVIOUS together with the secret that replaces it',
    )
  }
  if (!hasDatabase && values.PARLEY_WORKERS > 1) {
    errors.push(
      'PARLEY_WORKERS is more than 1, but DATABASE_URL is not set; accepted: 1, or more with DATABASE_URL',
    )
  }
  return [...errors, ...oidcErrors(given)]
}

function configFrom(values: SettingValues): Config {
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PARLEY_PUBLIC_URL ?? listeningUrl(values.HOST, values.PORT),
    trustProxy: values.PARLEY_TRUST_PROXY,
    database:
      values.DATABASE_URL === null
        ? { kind: 'embedded', dataDir: values.PARLEY_DATA_DIR }
        : { kind: 'postgres', url: values.DATABASE_URL, dataDir: values.PARLEY_DATA_DIR },
    redisUrl: values.REDIS_URL,
    secret: values.PARLEY_SECRET,
    previousSecret: values.PARLEY_SECRET_PREVIOUS,
    bootstrap: { organizationId: values.PARLEY_BOOTSTRAP_ORG_ID, apiKey: values.PARLEY_BOOTSTRAP_API_KEY },
    environmentProvider: environmentProviderOf(values),
    oidc: oidcConfigOf(values),
    signIn: { idleDays: values.PARLEY_SIGN_IN_IDLE_DAYS, days: values.PARLEY_SIGN_IN_DAYS },
    realtime: realtimeConfigFrom(values),
    rateLimitPerMinute: values.PARLEY_RATE_LIMIT_PER_MINUTE,
    organization: organizationConfigFrom(values),
    retention: {
      idempotencyHours: values.PARLEY_KEEP_IDEMPOTENCY_HOURS,
      turnEventsHours: values.PARLEY_KEEP_TURN_EVENTS_HOURS,
      webhookDeliveriesDays: values.PARLEY_KEEP_WEBHOOK_DELIVERIES_DAYS,
      endedDays: values.PARLEY_KEEP_ENDED_DAYS,
      auditDays: values.PARLEY_KEEP_AUDIT_DAYS,
      usageDays: values.PARLEY_KEEP_USAGE_DAYS,
    },
    tasks: {
      runs: values.PARLEY_TASK_RUNS,
      runSeconds: values.PARLEY_TASK_RUN_SECONDS,
      retrySeconds: values.PARLEY_TASK_RETRY_SECONDS,
      maxSteps: values.PARLEY_TASK_MAX_STEPS,
    },
    allowedPrivateHosts: values.PARLEY_ALLOWED_PRIVATE_HOSTS ?? [],
    mcpServers: values.PARLEY_MCP_SERVERS,
    chatContextTokens: values.PARLEY_CHAT_CONTEXT_TOKENS,
    chatTimeoutSeconds: values.PARLEY_CHAT_TIMEOUT_SECONDS,
    webhookTimeoutSeconds: values.PARLEY_WEBHOOK_TIMEOUT_SECONDS,
    temporaryFileTtlSeconds: values.PARLEY_TEMPORARY_FILE_TTL_SECONDS,
    maxFileBytes: values.PARLEY_MAX_FILE_BYTES,
    drainSeconds: values.PARLEY_DRAIN_SECONDS,
    leaseSeconds: values.PARLEY_LEASE_SECONDS,
    workers: values.PARLEY_WORKERS,
    relayIo: values.PARLEY_RELAY_IO,
    phoneAudioPorts: values.PARLEY_PHONE_AUDIO_PORTS,
    logLevel: values.LOG_LEVEL,
    tracing: tracingConfigFrom(values),
  }
}

function tracingConfigFrom(values: SettingValues): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: name } = values
  if (endpoint === null) return null
  const resource = { ...values.OTEL_RESOURCE_ATTRIBUTES, ...(name !== null && { 'service.name': name }) }
  return { endpoint, headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {}, resource }
}

function realtimeConfigFrom(values: SettingValues): RealtimeConfig {
  return {
    enabled: values.PARLEY_REALTIME_ENABLED,
    accessModes: values.PARLEY_REALTIME_ACCESS_MODES,
    model: values.PARLEY_REALTIME_MODEL,
    transcriptionModel: values.PARLEY_REALTIME_TRANSCRIPTION_MODEL,
    inputFormats: values.PARLEY_REALTIME_INPUT_FORMATS,
    outputFormats: values.PARLEY_REALTIME_OUTPUT_FORMATS,
    sessionTtlSeconds: values.PARLEY_REALTIME_SESSION_TTL_SECONDS,
    maxSessionSeconds: values.PARLEY_REALTIME_MAX_SESSION_SECONDS,
    idleTimeoutSeconds: values.PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS,
    approvalTimeoutSeconds: values.PARLEY_REALTIME_APPROVAL_TIMEOUT_SECONDS,
    maxMessageBytes: values.PARLEY_REALTIME_MAX_MESSAGE_BYTES,
    providerMaxMessageBytes: values.PARLEY_REALTIME_PROVIDER_MAX_MESSAGE_BYTES,
    providerConnectTimeoutSeconds: values.PARLEY_REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS,
  }
}

/** By default, an organization may send as many requests as this number of keys. */
const keysInFullUse = 10

function organizationConfigFrom(values: SettingValues): OrganizationConfig {
  return {
    requestsPerMinute:
      values.PARLEY_ORG_MAX_REQUESTS_PER_MINUTE ?? values.PARLEY_RATE_LIMIT_PER_MINUTE * keysInFullUse,
    sessions: values.PARLEY_ORG_MAX_SESSIONS,
    runningTurns: values.PARLEY_ORG_MAX_RUNNING_TURNS,
    queuedTurns: values.PARLEY_ORG_MAX_QUEUED_TURNS,
    streams: values.PARLEY_ORG_MAX_STREAMS,
    streamsPerCaller: values.PARLEY_ORG_MAX_STREAMS_PER_CALLER,
    agents: values.PARLEY_ORG_MAX_AGENTS,
    connections: values.PARLEY_ORG_MAX_CONNECTIONS,
    apiKeys: values.PARLEY_ORG_MAX_API_KEYS,
    members: values.PARLEY_ORG_MAX_MEMBERS,
    invitations: values.PARLEY_ORG_MAX_INVITATIONS,
    webhooks: values.PARLEY_ORG_MAX_WEBHOOKS,
    budgets: values.PARLEY_ORG_MAX_BUDGETS,
    phoneConnections: values.PARLEY_ORG_MAX_PHONE_CONNECTIONS,
    phoneNumbers: values.PARLEY_ORG_MAX_PHONE_NUMBERS,
    callsPerHour: values.PARLEY_ORG_MAX_CALLS_PER_HOUR,
    tasks: values.PARLEY_ORG_MAX_TASKS,
    conversations: values.PARLEY_ORG_MAX_CONVERSATIONS,
    messages: values.PARLEY_ORG_MAX_MESSAGES,
    files: values.PARLEY_ORG_MAX_FILES,
    fileBytes: values.PARLEY_ORG_MAX_FILE_BYTES,
  }
}

const loopbackOfEveryAddress: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** Returns the URL at which this machine reaches the listener. Browsers cannot open `0.0.0.0` or `::`. */
function listeningUrl(host: string, port: number): string {
  const reachable = loopbackOfEveryAddress.get(host) ?? host
  return new URL(`http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`).origin
}

/** Freezes a tree of plain objects and arrays in place. Its type should already be deeply readonly. */
function deepFreeze<T extends object>(tree: T): T {
  const children: readonly unknown[] = Object.values(tree)
  for (const child of children) {
    if (typeof child === 'object' && child !== null) deepFreeze(child)
  }
  return Object.freeze(tree)
}
