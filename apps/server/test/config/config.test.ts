import { describe, expect, test } from 'vitest'
import { withListeningPort } from '#server/config/config.js'
import {
  apiKey,
  configOf,
  defaults,
  type Env,
  postgres,
  secret,
  settingRows,
} from '../support/config/environments.js'

describe('default settings', () => {
  test('an empty environment results in every default', () => {
    expect(configOf({})).toEqual(defaults)
  })

  test('an empty variable counts as unset, whatever its name is', () => {
    const empty = Object.fromEntries(settingRows.map(([name]) => [name, '']))
    expect(configOf({ ...empty, PORT: undefined, PARLEY_UNKNOWN: '' })).toEqual(defaults)
  })

  test('variables of other programs are ignored', () => {
    expect(configOf({ PATH: '/bin', OPENAI_ORGANIZATION: 'x', MY_PARLEY_PORT: '1' })).toEqual(defaults)
  })
})

const mcpJson =
  '{"files":{"command":"mcp-files","args":["-v"],"env":{"A":"b"}},"time":{"command":"mcp-time"}}'

const socket = 'postgresql:///parley?host=/run/postgresql'
const organizationId = '0198c0de-0000-7000-8000-00000000abcd'

const good: readonly (readonly [env: Env, expected: object])[] = [
  [{ HOST: 'localhost' }, { host: 'localhost', publicUrl: 'http://localhost:8080' }],
  [{ HOST: '::1' }, { host: '::1', publicUrl: 'http://[::1]:8080' }],
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0', publicUrl: 'http://127.0.0.1:8080' }],
  [{ HOST: '::' }, { host: '::', publicUrl: 'http://[::1]:8080' }],
  [{ HOST: 'constructor' }, { publicUrl: 'http://constructor:8080' }],
  [{ PORT: '80' }, { port: 80, publicUrl: 'http://127.0.0.1' }],
  [{ PORT: '65535' }, { port: 65_535, publicUrl: 'http://127.0.0.1:65535' }],
  [{ PARLEY_PUBLIC_URL: 'https://parley.example/' }, { publicUrl: 'https://parley.example' }],
  [{ PARLEY_PUBLIC_URL: 'HTTP://A.example:81' }, { publicUrl: 'http://a.example:81' }],
  [{ PARLEY_TRUST_PROXY: 'false' }, { trustProxy: 0 }],
  [{ PARLEY_TRUST_PROXY: 'true' }, { trustProxy: 1 }],
  [{ PARLEY_TRUST_PROXY: '2' }, { trustProxy: 2 }],
  [{ PARLEY_TRUST_PROXY: 'loopback' }, { trustProxy: ['loopback'] }],
  [
    { PARLEY_TRUST_PROXY: 'loopback, 10.0.0.0/8,192.0.2.7, fd00::/8' },
    { trustProxy: ['loopback', '10.0.0.0/8', '192.0.2.7', 'fd00::/8'] },
  ],
  [{ PARLEY_DATA_DIR: '/a b' }, { database: { kind: 'embedded', dataDir: '/a b' } }],
  [postgres, { database: { kind: 'postgres', url: postgres.DATABASE_URL, dataDir: './data' }, secret }],
  [{ ...postgres, DATABASE_URL: socket }, { database: { url: socket } }],
  [{ ...postgres, PARLEY_WORKERS: '64' }, { workers: 64 }],
  [{ REDIS_URL: 'redis://:pw@cache:6379/1' }, { redisUrl: 'redis://:pw@cache:6379/1' }],
  [{ REDIS_URL: 'rediss://cache' }, { redisUrl: 'rediss://cache' }],
  [{ PARLEY_SECRET: 'x'.repeat(32) }, { secret: 'x'.repeat(32) }],
  [{ PARLEY_BOOTSTRAP_ORG_ID: organizationId.toUpperCase() }, { bootstrap: { organizationId } }],
  [{ PARLEY_BOOTSTRAP_API_KEY: apiKey }, { bootstrap: { apiKey } }],
  [
    { OPENAI_API_KEY: 'sk-1' },
    { environmentProvider: { kind: 'openai', apiKey: 'sk-1', baseUrl: null, chatModel: 'gpt-5-mini' } },
  ],
  [
    { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://a/v1/' },
    { environmentProvider: { kind: 'openai-compatible', baseUrl: 'http://a/v1', chatModel: null } },
  ],
  [{ OPENAI_BASE_URL: 'http://localhost:11434/v1' }, { environmentProvider: null }],
  [
    { ANTHROPIC_API_KEY: 'sk-ant' },
    { environmentProvider: { kind: 'anthropic', chatModel: 'claude-sonnet-4-5', isVoiced: true } },
  ],
  [
    { ANTHROPIC_API_KEY: 'sk-ant', ANTHROPIC_BASE_URL: 'http://a', PARLEY_CHAT_MODEL: 'other' },
    { environmentProvider: { baseUrl: 'http://a/v1', chatModel: 'other' } },
  ],
  [
    { PARLEY_CHAT_URL: 'http://localhost:8000', PARLEY_CHAT_MODEL: 'qwen3', PARLEY_CHAT_API_KEY: 'k' },
    { environmentProvider: { baseUrl: 'http://localhost:8000/v1', chatModel: 'qwen3', apiKey: 'k' } },
  ],
  [{ OLLAMA_HOST: '0.0.0.0' }, { environmentProvider: { baseUrl: 'http://127.0.0.1:11434/v1' } }],
  [{ OLLAMA_HOST: ':1234' }, { environmentProvider: { baseUrl: 'http://127.0.0.1:1234/v1' } }],
  [
    { OLLAMA_HOST: 'https://ai.example.com/' },
    { environmentProvider: { baseUrl: 'https://ai.example.com/v1' } },
  ],
  [
    { PARLEY_CHAT_URL: 'http://a/v1', OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', OLLAMA_HOST: 'b' },
    { environmentProvider: { from: 'PARLEY_CHAT_URL', baseUrl: 'http://a/v1' } },
  ],
  [
    { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', OLLAMA_HOST: 'b' },
    { environmentProvider: { from: 'OPENAI_API_KEY' } },
  ],
  [{ ANTHROPIC_API_KEY: 'k', OLLAMA_HOST: 'b' }, { environmentProvider: { from: 'ANTHROPIC_API_KEY' } }],
  [{ PARLEY_DRAIN_SECONDS: '0' }, { drainSeconds: 0 }],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20b, c=d=e',
    },
    { tracing: { endpoint: 'http://collector:4318', headers: { 'x-key': 'a b', c: 'd=e' }, resource: {} } },
  ],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_SERVICE_NAME: 'parley-eu',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=unused,Team=a%20b',
    },
    { tracing: { resource: { 'service.name': 'parley-eu', Team: 'a b' } } },
  ],
  [
    { PARLEY_ALLOWED_PRIVATE_HOSTS: 'CRM.internal, my_db:5432,10.0.0.7:80,[FD00:0::7],[::1]:8080' },
    { allowedPrivateHosts: ['crm.internal', 'my_db:5432', '10.0.0.7:80', '[fd00::7]', '[::1]:8080'] },
  ],
  [
    { PARLEY_MCP_SERVERS: mcpJson },
    {
      mcpServers: {
        files: { command: 'mcp-files', args: ['-v'], env: { A: 'b' } },
        time: { command: 'mcp-time', args: [], env: {} },
      },
    },
  ],
  [{ PARLEY_REALTIME_ENABLED: 'false' }, { realtime: { enabled: false } }],
  [{ PARLEY_REALTIME_ACCESS_MODES: 'console' }, { realtime: { accessModes: ['console'] } }],
  [{ PARLEY_REALTIME_MODEL: 'm' }, { realtime: { model: 'm' } }],
  [{ PARLEY_REALTIME_TRANSCRIPTION_MODEL: 'm' }, { realtime: { transcriptionModel: 'm' } }],
  [
    { PARLEY_REALTIME_INPUT_FORMATS: 'g711_ulaw, pcm16' },
    { realtime: { inputFormats: ['g711_ulaw', 'pcm16'] } },
  ],
  [{ PARLEY_REALTIME_OUTPUT_FORMATS: 'g711_alaw' }, { realtime: { outputFormats: ['g711_alaw'] } }],
]

describe('good values', () => {
  test.each(good)('%j', (env, expected) => {
    expect(configOf(env)).toMatchObject(expected)
  })

  const numbers = settingRows.filter(([, setting]) => /^\d+$/.test(setting.default ?? ''))

  test.each(numbers)('%s sets the field of the same name', (name, setting) => {
    const value = Number(setting.default) + 1
    const changed = configOf({ ...postgres, [name]: String(value) })
    const [, prefix, rest = ''] =
      /^(PARLEY_REALTIME_|PARLEY_ORG_MAX_|PARLEY_KEEP_|PARLEY_SIGN_IN_|PARLEY_TASK_|PARLEY_)?(.+)$/.exec(
        name,
      ) ?? []
    const field = rest.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    const parts = new Map<string | undefined, object>([
      ['PARLEY_REALTIME_', changed.realtime],
      ['PARLEY_ORG_MAX_', changed.organization],
      ['PARLEY_KEEP_', changed.retention],
      ['PARLEY_SIGN_IN_', changed.signIn],
      ['PARLEY_TASK_', changed.tasks],
    ])
    expect(parts.get(prefix) ?? changed).toHaveProperty(field, value)
  })

  test('a server name does not match inherited object properties', () => {
    expect(configOf({}).mcpServers.constructor).toBeUndefined()
    expect(configOf({ PARLEY_MCP_SERVERS: mcpJson }).mcpServers.toString).toBeUndefined()
  })
})

describe('the config object', () => {
  test('is deeply frozen', () => {
    const full = configOf({ ...postgres, OPENAI_API_KEY: 'sk-1', PARLEY_MCP_SERVERS: mcpJson })
    expect(unfrozenPaths(full)).toEqual([])
    expect(unfrozenPaths(withListeningPort(configOf({}), 1234))).toEqual([])
  })

  test('learns its port and its public address when the server listens, if PORT=0', () => {
    const chosen = withListeningPort(configOf({ PORT: '0' }), 40_123)
    expect(chosen).toMatchObject({ port: 40_123, publicUrl: 'http://127.0.0.1:40123' })
  })

  test('keeps a public address that the operator has set', () => {
    const set = configOf({ PORT: '0', PARLEY_PUBLIC_URL: 'https://parley.example' })
    expect(withListeningPort(set, 40_123)).toMatchObject({
      port: 40_123,
      publicUrl: 'https://parley.example',
    })
  })
})

function unfrozenPaths(value: unknown, path = 'config'): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, child]) => unfrozenPaths(child, `${path}.${key}`))
  return Object.isFrozen(value) ? inner : [path, ...inner]
}
