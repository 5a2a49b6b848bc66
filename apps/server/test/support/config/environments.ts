import { type Config, parseConfig } from '#server/config/config.js'
import type { Setting } from '#server/config/setting.js'
import { settings } from '#server/config/settings.js'

export type Env = Readonly<Record<string, string | undefined>>

export const settingRows: readonly (readonly [string, Setting])[] = Object.entries(settings)
export const secret = 's3cr3t-'.repeat(6)
export const apiKey = `prl_Ab3dEf9h_${'aZ0_-'.repeat(8)}aZ0`
export const postgres = { DATABASE_URL: 'postgres://parley:pw@db/parley', PARLEY_SECRET: secret }

export function configOf(env: Env): Config {
  const result = parseConfig(env)
  if (!result.ok) throw new Error(result.errors.join('\n'))
  return result.config
}

export function mistakesIn(env: Env): readonly string[] {
  const result = parseConfig(env)
  return result.ok ? [] : result.errors
}

export const defaults: Config = {
  host: '127.0.0.1',
  port: 8080,
  publicUrl: 'http://127.0.0.1:8080',
  trustProxy: 0,
  database: { kind: 'embedded', dataDir: './data' },
  redisUrl: null,
  secret: null,
  previousSecret: null,
  bootstrap: { organizationId: null, apiKey: null },
  environmentProvider: null,
  signIn: { idleDays: 7, days: 30 },
  oidc: null,
  realtime: {
    enabled: true,
    accessModes: ['api', 'console'],
    model: 'gpt-realtime-2.1',
    transcriptionModel: 'gpt-transcribe',
    inputFormats: ['pcm16'],
    outputFormats: ['pcm16'],
    sessionTtlSeconds: 60,
    maxSessionSeconds: 1800,
    idleTimeoutSeconds: 60,
    approvalTimeoutSeconds: 300,
    maxMessageBytes: 65_536,
    providerMaxMessageBytes: 16_777_216,
    providerConnectTimeoutSeconds: 15,
  },
  rateLimitPerMinute: 600,
  organization: {
    requestsPerMinute: 6000,
    sessions: 1000,
    runningTurns: 100,
    queuedTurns: 1000,
    streams: 1000,
    streamsPerCaller: 100,
    agents: 1000,
    connections: 200,
    apiKeys: 1000,
    members: 10_000,
    invitations: 1000,
    webhooks: 20,
    budgets: 200,
    phoneConnections: 200,
    phoneNumbers: 1000,
    callsPerHour: 1000,
    tasks: 1_000_000,
    conversations: 1_000_000,
    messages: 20_000_000,
    files: 10_000,
    fileBytes: 10_737_418_240,
  },
  tasks: { runs: 16, runSeconds: 3600, retrySeconds: 10, maxSteps: 50 },
  retention: {
    idempotencyHours: 24,
    turnEventsHours: 24,
    webhookDeliveriesDays: 30,
    endedDays: 90,
    auditDays: null,
    usageDays: 90,
  },
  allowedPrivateHosts: [],
  mcpServers: {},
  chatContextTokens: 16_000,
  chatTimeoutSeconds: 120,
  webhookTimeoutSeconds: 10,
  temporaryFileTtlSeconds: 86_400,
  maxFileBytes: 20_971_520,
  drainSeconds: 30,
  leaseSeconds: 15,
  workers: 1,
  relayIo: 'fast',
  phoneAudioPorts: { first: 16_384, last: 32_766 },
  logLevel: 'info',
  tracing: null,
}
