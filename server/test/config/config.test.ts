import { describe, expect, test } from 'vitest'
import { type Config, parseConfig, withListeningPort } from '#server/config/config.js'
import type { Setting } from '#server/config/setting.js'
import { settings } from '#server/config/settings.js'

type Env = Readonly<Record<string, string | undefined>>

const rows: readonly (readonly [string, Setting])[] = Object.entries(settings)
const secret = 's3cr3t-'.repeat(6)
const apiKey = `prl_Ab3dEf9h_${'aZ0_-'.repeat(8)}aZ0`
const postgres = { DATABASE_URL: 'postgres://parley:pw@db/parley', PARLEY_SECRET: secret }

function config(env: Env): Config {
  const result = parseConfig(env)
  if (!result.ok) throw new Error(result.mistakes.join('\n'))
  return result.config
}

function mistakes(env: Env): readonly string[] {
  const result = parseConfig(env)
  return result.ok ? [] : result.mistakes
}

const defaults: Config = {
  host: '127.0.0.1',
  port: 8080,
  publicUrl: 'http://127.0.0.1:8080',
  trustProxy: 0,
  database: { kind: 'embedded', dataDir: './data' },
  redisUrl: null,
  secret: null,
  bootstrap: { organizationId: null, apiKey: null },
  openai: null,
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
  allowedPrivateHosts: [],
  mcpServers: {},
  chatContextTokens: 16_000,
  chatTimeoutSeconds: 120,
  temporaryFileTtlSeconds: 86_400,
  maxFileBytes: 20_971_520,
  drainSeconds: 30,
  workers: 1,
  logLevel: 'info',
}

describe('defaults', () => {
  test('an empty environment gives every default', () => {
    expect(config({})).toEqual(defaults)
  })

  test('an empty variable is an unset one, whatever its name', () => {
    const empty = Object.fromEntries(rows.map(([name]) => [name, '']))
    expect(config({ ...empty, PORT: undefined, PARLEY_UNKNOWN: '' })).toEqual(defaults)
  })

  test('variables of other programs are left alone', () => {
    expect(config({ PATH: '/bin', OPENAI_ORGANIZATION: 'x', MY_PARLEY_PORT: '1' })).toEqual(defaults)
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
  [{ OPENAI_API_KEY: 'sk-1' }, { openai: { apiKey: 'sk-1', baseUrl: null } }],
  [{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://a/v1/' }, { openai: { baseUrl: 'http://a/v1' } }],
  [{ OPENAI_BASE_URL: 'http://localhost:11434/v1' }, { openai: null }],
  [{ PARLEY_DRAIN_SECONDS: '0' }, { drainSeconds: 0 }],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
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
    expect(config(env)).toMatchObject(expected)
  })

  const numbers = rows.filter(([, setting]) => /^\d+$/.test(setting.default ?? ''))

  test.each(numbers)('%s reaches the field of its name', (name, setting) => {
    const value = Number(setting.default) + 1
    const changed = config({ ...postgres, [name]: String(value) })
    const [, prefix, rest = ''] = /^(PARLEY_REALTIME_|PARLEY_)?(.+)$/.exec(name) ?? []
    const field = rest.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    expect(prefix === 'PARLEY_REALTIME_' ? changed.realtime : changed).toHaveProperty(field, value)
  })

  test('a server name finds nothing that every object inherits', () => {
    expect(config({}).mcpServers.constructor).toBeUndefined()
    expect(config({ PARLEY_MCP_SERVERS: mcpJson }).mcpServers.toString).toBeUndefined()
  })
})

const notHttp = 'does not begin with http:// or https://'
const noHost = 'is neither a host name nor an IP address'
const noEntry = 'not host or host:port'

const bad: readonly (readonly [name: keyof typeof settings, value: string, problem: string])[] = [
  ['HOST', 'http://localhost', noHost],
  ['HOST', 'localhost:80', noHost],
  ['HOST', '[::1]', noHost],
  ['HOST', '127.1', noHost],
  ['HOST', 'fe80::1%eth0', noHost],
  ['PORT', '80a', 'is not a whole number'],
  ['PORT', '-1', 'is not a whole number'],
  ['PORT', '80.5', 'is not a whole number'],
  ['PORT', ' 80', 'is not a whole number'],
  ['PORT', '0x50', 'is not a whole number'],
  ['PORT', '65536', 'is above 65535'],
  ['PARLEY_PUBLIC_URL', 'parley.example', notHttp],
  ['PARLEY_PUBLIC_URL', 'ftp://parley.example', notHttp],
  ['PARLEY_PUBLIC_URL', 'http:parley.example', notHttp],
  ['PARLEY_PUBLIC_URL', 'https://', 'is not a URL'],
  ['PARLEY_PUBLIC_URL', 'https://a b', 'has white space'],
  ['PARLEY_PUBLIC_URL', 'https://a/b', 'has a path'],
  ['PARLEY_PUBLIC_URL', 'https://a/?', 'has a query'],
  ['PARLEY_PUBLIC_URL', 'https://a/#b', 'has a fragment'],
  ['PARLEY_PUBLIC_URL', 'https://a:0', 'has port 0'],
  ['PARLEY_PUBLIC_URL', 'https://me:pw@a', 'has a user name or password'],
  ['PARLEY_TRUST_PROXY', 'yes', 'has "yes": neither loopback nor a network'],
  ['PARLEY_TRUST_PROXY', 'TRUE', 'has "TRUE": neither loopback nor a network'],
  ['PARLEY_TRUST_PROXY', '0', 'is below 1'],
  ['PARLEY_TRUST_PROXY', '11', 'is above 10'],
  ['PARLEY_TRUST_PROXY', '-1', 'neither loopback nor a network'],
  ['PARLEY_TRUST_PROXY', '0.0.0.0/0', 'neither loopback nor a network'],
  ['PARLEY_TRUST_PROXY', '::/0', 'neither loopback nor a network'],
  ['PARLEY_TRUST_PROXY', '10.0.0.0/33', 'neither loopback nor a network'],
  ['PARLEY_TRUST_PROXY', '10.0.0.0/8/8', 'neither loopback nor a network'],
  ['PARLEY_TRUST_PROXY', '10.0.0.0/255.0.0.0', 'neither loopback nor a network'],
  ['PARLEY_TRUST_PROXY', '10.1/8', 'neither loopback nor a network'],
  ['PARLEY_TRUST_PROXY', 'proxy.internal', 'neither loopback nor a network'],
  ['PARLEY_TRUST_PROXY', 'loopback,', 'has an empty entry'],
  ['PARLEY_RATE_LIMIT_PER_MINUTE', '0', 'is below 1'],
  ['PARLEY_DRAIN_SECONDS', '3601', 'is above 3600'],
  ['PARLEY_WORKERS', '0', 'is below 1'],
  ['PARLEY_WORKERS', '65', 'is above 64'],
  ['LOG_LEVEL', 'verbose', 'is not one of the known values'],
  ['DATABASE_URL', 'mysql://db/parley', 'does not begin with postgres:// or postgresql://'],
  ['DATABASE_URL', 'postgres://', 'has no host'],
  ['DATABASE_URL', 'postgres://me:p#w@db:x/parley', 'is not a URL'],
  ['PARLEY_DATA_DIR', ' ', 'begins or ends with white space'],
  ['PARLEY_DATA_DIR', './data\n', 'begins or ends with white space'],
  ['REDIS_URL', 'cache:6379', 'does not begin with redis:// or rediss://'],
  ['REDIS_URL', 'redis:///1', 'has no host'],
  ['PARLEY_TEMPORARY_FILE_TTL_SECONDS', '0', 'is below 1'],
  ['PARLEY_MAX_FILE_BYTES', '1023', 'is below 1024'],
  ['PARLEY_SECRET', 'x'.repeat(31), 'is too short'],
  ['PARLEY_SECRET', `${'x'.repeat(40)}\n`, 'begins or ends with white space'],
  ['PARLEY_BOOTSTRAP_ORG_ID', '0198c0de', 'is not a UUID'],
  ['PARLEY_BOOTSTRAP_API_KEY', apiKey.slice(0, -1), 'is not in the form of an API key'],
  ['PARLEY_BOOTSTRAP_API_KEY', `${apiKey}x`, 'is not in the form of an API key'],
  ['PARLEY_BOOTSTRAP_API_KEY', apiKey.replace('Ab3', 'A_3'), 'is not in the form of an API key'],
  ['OPENAI_API_KEY', 'sk-1\n', 'has white space or characters outside ASCII'],
  ['OPENAI_BASE_URL', 'localhost:11434', notHttp],
  ['OPENAI_BASE_URL', 'http://a/v1?key=1', 'has a query'],
  ['PARLEY_ALLOWED_PRIVATE_HOSTS', 'http://crm', noEntry],
  ['PARLEY_ALLOWED_PRIVATE_HOSTS', 'crm/path', noEntry],
  ['PARLEY_ALLOWED_PRIVATE_HOSTS', '10.0.0.0/8', noEntry],
  ['PARLEY_ALLOWED_PRIVATE_HOSTS', '*.internal', noEntry],
  ['PARLEY_ALLOWED_PRIVATE_HOSTS', '0x7f000001', noEntry],
  ['PARLEY_ALLOWED_PRIVATE_HOSTS', '::1', noEntry],
  ['PARLEY_ALLOWED_PRIVATE_HOSTS', 'ok, crm:0, crm:65536', `has "crm:0", "crm:65536": ${noEntry}`],
  ['PARLEY_ALLOWED_PRIVATE_HOSTS', 'crm,', 'has an empty entry'],
  ['PARLEY_MCP_SERVERS', '{files}', 'is not valid JSON'],
  ['PARLEY_MCP_SERVERS', '[]', 'is not a JSON object'],
  ['PARLEY_MCP_SERVERS', '{"a b":{"command":"x"}}', 'at "a b": is not a good name'],
  ['PARLEY_MCP_SERVERS', '{"f":{}}', 'at f.command: expected string'],
  ['PARLEY_MCP_SERVERS', '{"f":{"command":""}}', 'at f.command: is empty'],
  ['PARLEY_MCP_SERVERS', '{"f":{"command":"x","args":["a",1]}}', 'at f.args.1: expected string'],
  ['PARLEY_MCP_SERVERS', '{"f":{"command":"x","env":{"A":1}}}', 'at f.env.A: expected string'],
  ['PARLEY_MCP_SERVERS', '{"f":{"command":"x","cwd":"/"}}', 'at f: Unrecognized key: "cwd"'],
  ['PARLEY_REALTIME_ENABLED', '1', 'is neither true nor false'],
  ['PARLEY_CHAT_CONTEXT_TOKENS', '999', 'is below 1000'],
  ['PARLEY_CHAT_TIMEOUT_SECONDS', '0', 'is below 1'],
  ['PARLEY_REALTIME_ACCESS_MODES', 'api,web', 'has "web": not known'],
  ['PARLEY_REALTIME_MODEL', 'gpt realtime', 'has white space or characters outside ASCII'],
  ['PARLEY_REALTIME_TRANSCRIPTION_MODEL', 'gpt-transcríbe', 'has white space or characters outside ASCII'],
  ['PARLEY_REALTIME_INPUT_FORMATS', 'pcm16,mp3,ogg', 'has "mp3", "ogg": not known'],
  ['PARLEY_REALTIME_INPUT_FORMATS', ',', 'has an empty entry'],
  ['PARLEY_REALTIME_OUTPUT_FORMATS', 'pcm16,pcm16', 'has "pcm16" more than once'],
  ['PARLEY_REALTIME_SESSION_TTL_SECONDS', '0', 'is below 1'],
  ['PARLEY_REALTIME_MAX_SESSION_SECONDS', '86401', 'is above 86400'],
  ['PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS', '0', 'is below 1'],
  ['PARLEY_REALTIME_APPROVAL_TIMEOUT_SECONDS', '0', 'is below 1'],
  ['PARLEY_REALTIME_MAX_MESSAGE_BYTES', '1023', 'is below 1024'],
  ['PARLEY_REALTIME_PROVIDER_MAX_MESSAGE_BYTES', '64k', 'is not a whole number'],
  ['PARLEY_REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS', '0', 'is below 1'],
]

describe('[CFG-1] bad values', () => {
  test.each(bad)('%s=%j %s', (name, value, problem) => {
    // A secret beside it, so that DATABASE_URL has its own mistake and no other.
    const [mistake, ...others] = mistakes({ PARLEY_SECRET: secret, [name]: value })
    expect(others).toEqual([])
    expect(mistake).toMatch(new RegExp(`^${name}(=".*")? `))
    expect(mistake).toContain(problem)
    expect(mistake).toContain(`; accepted: ${settings[name].schema.description}`)
    expect(mistake).not.toContain('\n')
  })

  test('every setting has a bad value above', () => {
    expect(new Set(bad.map(([name]) => name))).toEqual(new Set(rows.map(([name]) => name)))
  })

  test('a whole line reads like this', () => {
    expect(mistakes({ PORT: '80a', LOG_LEVEL: 'loud' })).toEqual([
      'PORT="80a" is not a whole number; accepted: a whole number from 0 to 65535',
      'LOG_LEVEL="loud" is not one of the known values; accepted: trace, debug, info, warn, error, fatal or silent',
    ])
  })

  test('a long value is shortened', () => {
    expect(mistakes({ PORT: 'x'.repeat(5000) }).join().length).toBeLessThan(200)
  })
})

describe('rules across settings', () => {
  test('DATABASE_URL needs PARLEY_SECRET', () => {
    expect(mistakes({ DATABASE_URL: postgres.DATABASE_URL })).toEqual([
      'PARLEY_SECRET is not set, but DATABASE_URL needs it; accepted: at least 32 characters, no white space at either end',
    ])
  })

  test('more than one worker needs DATABASE_URL', () => {
    expect(mistakes({ PARLEY_WORKERS: '2' })).toEqual([
      'PARLEY_WORKERS is more than 1, but DATABASE_URL is not set; accepted: 1, or more with DATABASE_URL',
    ])
  })

  test('every mistake is listed at once, each kind of it', () => {
    const names = mistakes({
      PORT: 'x',
      DATABASE_URL: 'x',
      PARLEY_MCP_SERVERS: '{"f":{"x":1}}',
      PARLEY_X: 'x',
    })
    expect(names.map((line) => line.split(/[ =]/)[0]).join(' ')).toBe(
      'PORT DATABASE_URL PARLEY_MCP_SERVERS PARLEY_MCP_SERVERS PARLEY_SECRET PARLEY_X',
    )
  })
})

describe('[CFG-2] unknown names', () => {
  test.each([
    ['PARLEY_SECERT', 'did you mean PARLEY_SECRET?'],
    ['PARLEY_DATADIR', 'did you mean PARLEY_DATA_DIR?'],
    ['PARLEY_REALTIME_INPUT_FORMAT', 'did you mean PARLEY_REALTIME_INPUT_FORMATS?'],
    ['PARLEY_PORT', 'did you mean PORT?'],
    ['PARLEY_LOGLEVEL', 'did you mean LOG_LEVEL?'],
    ['PARLEY_FOO', 'accepted: the names that .env.example lists'],
  ])('%s: %s', (name, advice) => {
    expect(mistakes({ [name]: 'sensitive' })).toEqual([`${name} is not a setting; ${advice}`])
  })

  test('what Kubernetes adds for a service named parley is no mistake', () => {
    const names =
      'SERVICE_HOST SERVICE_PORT SERVICE_PORT_HTTP PORT PORT_80_TCP PORT_80_TCP_PROTO PORT_80_TCP_PORT PORT_80_TCP_ADDR DB_SERVICE_HOST'
    const links = Object.fromEntries(names.split(' ').map((name) => [`PARLEY_${name}`, 'tcp://10.0.0.1:80']))
    expect(config(links)).toEqual(defaults)
  })
})

describe('[5-4] secrets', () => {
  const leak = 'hunter2'

  test.each([
    ['PARLEY_SECRET', leak],
    ['PARLEY_BOOTSTRAP_API_KEY', `prl_${leak}`],
    ['OPENAI_API_KEY', `${leak} `],
    ['OPENAI_BASE_URL', `https://me:${leak}@a/v1`],
    ['OPENAI_BASE_URL', `https://a/v1?key=${leak}`],
    ['DATABASE_URL', `postgres://me:${leak}#@db:x/parley`],
    ['DATABASE_URL', `me:${leak}@db/parley`],
    ['REDIS_URL', `http://:${leak}@cache`],
    ['REDIS_URL', `${leak}@cache`],
    ['PARLEY_MCP_SERVERS', `{"f":{"command":"x","env":{"TOKEN":["${leak}"]}}}`],
    ['PARLEY_MCP_SERVERS', `{"f": ${leak}`],
    ['PARLEY_PUBLIC_URL', `https://me:${leak}@a`],
    ['PARLEY_ALLOWED_PRIVATE_HOSTS', `crm,http://me:${leak}@a,b`],
  ])('%s=%s is refused without being shown', (name, value) => {
    const lines = mistakes({ [name]: value })
    expect(lines).not.toEqual([])
    expect(lines.join('\n')).not.toContain(leak)
  })
})

describe('the config', () => {
  test('is frozen all the way down', () => {
    const full = config({ ...postgres, OPENAI_API_KEY: 'sk-1', PARLEY_MCP_SERVERS: mcpJson })
    expect(unfrozenPaths(full)).toEqual([])
    expect(unfrozenPaths(withListeningPort(config({}), 1234))).toEqual([])
  })

  test('with PORT=0 learns its port, and so its public address, when listening', () => {
    const chosen = withListeningPort(config({ PORT: '0' }), 40_123)
    expect(chosen).toMatchObject({ port: 40_123, publicUrl: 'http://127.0.0.1:40123' })
  })

  test('keeps a public address that the operator set', () => {
    const set = config({ PORT: '0', PARLEY_PUBLIC_URL: 'https://parley.example' })
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
