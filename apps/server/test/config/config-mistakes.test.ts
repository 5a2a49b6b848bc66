import { execSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { settings } from '#server/config/settings.js'
import {
  apiKey,
  configOf,
  defaults,
  mistakesIn,
  postgres,
  secret,
  settingRows,
} from '../support/config/environments.js'

const notHttp = 'does not begin with http:// or https://'
const noHost = 'is neither a host name nor an IP address'
const noEntry = 'not host or host:port'

const issuer = {
  PARLEY_OIDC_ISSUER: 'https://id.example.com/',
  PARLEY_OIDC_CLIENT_ID: 'parley',
  PARLEY_OIDC_CLIENT_SECRET: 'quiet',
}

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
  ['PARLEY_ORG_MAX_REQUESTS_PER_MINUTE', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_SESSIONS', '-1', 'is not a whole number'],
  ['PARLEY_ORG_MAX_RUNNING_TURNS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_QUEUED_TURNS', 'many', 'is not a whole number'],
  ['PARLEY_ORG_MAX_STREAMS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_STREAMS_PER_CALLER', '1.5', 'is not a whole number'],
  ['PARLEY_ORG_MAX_AGENTS', '1', 'is below 2'],
  ['PARLEY_ORG_MAX_CONNECTIONS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_API_KEYS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_MEMBERS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_INVITATIONS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_BUDGETS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_PHONE_CONNECTIONS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_PHONE_NUMBERS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_CALLS_PER_HOUR', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_TASKS', '1000000001', 'is above 1000000000'],
  ['PARLEY_ORG_MAX_CONVERSATIONS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_MESSAGES', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_FILES', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_FILE_BYTES', '1023', 'is below 1024'],
  ['PARLEY_KEEP_IDEMPOTENCY_HOURS', '0', 'is below 1'],
  ['PARLEY_KEEP_TURN_EVENTS_HOURS', '169', 'is above 168'],
  ['PARLEY_KEEP_ENDED_DAYS', '6', 'is below 7'],
  ['PARLEY_KEEP_AUDIT_DAYS', '6', 'is below 7'],
  ['PARLEY_KEEP_WEBHOOK_DELIVERIES_DAYS', '0', 'is below 1'],
  ['PARLEY_ORG_MAX_WEBHOOKS', '0', 'is below 1'],
  ['PARLEY_WEBHOOK_TIMEOUT_SECONDS', '0', 'is below 1'],
  ['PARLEY_KEEP_USAGE_DAYS', '1', 'is below 2'],
  ['PARLEY_SIGN_IN_IDLE_DAYS', '0', 'is below 1'],
  ['PARLEY_SIGN_IN_DAYS', '366', 'is above 365'],
  ['PARLEY_OIDC_ISSUER', 'id.example.com', notHttp],
  ['PARLEY_OIDC_ISSUER', 'https://id.example.com/?tenant=1', 'has a query'],
  ['PARLEY_OIDC_CLIENT_ID', 'two words', 'has white space or characters outside ASCII'],
  ['PARLEY_OIDC_CLIENT_SECRET', 's\n', 'has white space or characters outside ASCII'],
  ['PARLEY_OIDC_NAME', ' Us', 'begins or ends with white space, or has control characters'],
  ['PARLEY_OIDC_NAME', 'x'.repeat(61), 'is too long'],
  ['PARLEY_OIDC_SCOPES', 'openid,email', 'lacks openid'],
  ['PARLEY_OIDC_SCOPES', 'openid  email', 'is not a list of scopes'],
  ['PARLEY_DRAIN_SECONDS', '3601', 'is above 3600'],
  ['PARLEY_LEASE_SECONDS', '1', 'is below 2'],
  ['PARLEY_LEASE_SECONDS', '31', 'is above 30'],
  ['PARLEY_TASK_RUNS', '10001', 'is above 10000'],
  ['PARLEY_TASK_RUN_SECONDS', '0', 'is below 1'],
  ['PARLEY_TASK_RETRY_SECONDS', '3601', 'is above 3600'],
  ['PARLEY_TASK_MAX_STEPS', '0', 'is below 1'],
  ['PARLEY_WORKERS', '0', 'is below 1'],
  ['PARLEY_WORKERS', '65', 'is above 64'],
  ['PARLEY_RELAY_IO', 'streams', 'is not one of the known values'],
  ['PARLEY_PHONE_AUDIO_PORTS', '16384', 'is not a range of ports'],
  ['PARLEY_PHONE_AUDIO_PORTS', '80-90', 'begins below 1024'],
  ['PARLEY_PHONE_AUDIO_PORTS', '60000-70000', 'ends above 65535'],
  ['PARLEY_PHONE_AUDIO_PORTS', '20000-20000', 'has less than two ports'],
  ['LOG_LEVEL', 'verbose', 'is not one of the known values'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'does not begin with http:// or https://'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2', 'has an entry that is not name=value'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%zz', 'has an entry that is not name=value'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'staging', 'has an entry that is not name=value'],
  ['OTEL_SERVICE_NAME', 'a'.repeat(201), 'has more than 200 characters'],
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
  ['PARLEY_SECRET_PREVIOUS', 'x'.repeat(31), 'is too short'],
  ['PARLEY_BOOTSTRAP_ORG_ID', '0198c0de', 'is not a UUID'],
  ['PARLEY_BOOTSTRAP_API_KEY', apiKey.slice(0, -1), 'is not in the form of an API key'],
  ['PARLEY_BOOTSTRAP_API_KEY', `${apiKey}x`, 'is not in the form of an API key'],
  ['PARLEY_BOOTSTRAP_API_KEY', apiKey.replace('Ab3', 'A_3'), 'is not in the form of an API key'],
  ['OPENAI_API_KEY', 'sk-1\n', 'has white space or characters outside ASCII'],
  ['OPENAI_BASE_URL', 'localhost:11434', notHttp],
  ['OPENAI_BASE_URL', 'http://a/v1?key=1', 'has a query'],
  ['ANTHROPIC_API_KEY', 'sk ant', 'has white space or characters outside ASCII'],
  ['ANTHROPIC_BASE_URL', 'http://a/v1#x', 'has a fragment'],
  ['PARLEY_CHAT_URL', 'localhost:11434', notHttp],
  ['PARLEY_CHAT_MODEL', 'two words', 'has white space or characters outside ASCII'],
  ['PARLEY_CHAT_API_KEY', 'k\n', 'has white space or characters outside ASCII'],
  ['OLLAMA_HOST', 'http://a b', 'is not a host, host:port or URL'],
  ['OLLAMA_HOST', 'a:99999', 'is not a host, host:port or URL'],
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
  ['PARLEY_MCP_SERVERS', '{"a b":{"command":"x"}}', 'at "a b": is not a valid name'],
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

describe('bad values [CFG-1]', () => {
  test.each(bad)('%s=%j %s', (name, value, problem) => {
    // A secret and an issuer are set too, so that only the tested setting has a mistake.
    const [mistake, ...others] = mistakesIn({ PARLEY_SECRET: secret, ...issuer, [name]: value })
    expect(others).toEqual([])
    expect(mistake).toMatch(new RegExp(`^${name}(=".*")? `))
    expect(mistake).toContain(problem)
    expect(mistake).toContain(`; accepted: ${settings[name].schema.description}`)
    expect(mistake).not.toContain('\n')
  })

  test('the table above has a bad value for every setting', () => {
    expect(new Set(bad.map(([name]) => name))).toEqual(new Set(settingRows.map(([name]) => name)))
  })

  test('the error names the setting, its value and the accepted values', () => {
    expect(mistakesIn({ PORT: '80a', LOG_LEVEL: 'loud' })).toEqual([
      'PORT="80a" is not a whole number; accepted: a whole number from 0 to 65535',
      'LOG_LEVEL="loud" is not one of the known values; accepted: trace, debug, info, warn, error, fatal or silent',
    ])
  })

  test('the error shortens a long value', () => {
    expect(mistakesIn({ PORT: 'x'.repeat(5000) }).join().length).toBeLessThan(200)
  })
})

describe('rules across settings', () => {
  test('DATABASE_URL requires PARLEY_SECRET, and the error shows a command that generates one [CFG-4]', () => {
    const { DATABASE_URL } = postgres
    const [mistake = '', ...others] = mistakesIn({ DATABASE_URL })
    expect(others).toEqual([])
    expect(mistake).toContain(
      'PARLEY_SECRET is not set, but DATABASE_URL needs it; accepted: at least 32 characters, no white space at either end',
    )
    const [, line = ''] = /(node -p ".+?")/.exec(mistake) ?? []
    const made = () => execSync(line, { encoding: 'utf8' }).trim()
    const [first, second] = [made(), made()]
    expect(first).not.toBe(second)
    expect(configOf({ DATABASE_URL, PARLEY_SECRET: first }).secret).toBe(first)
  })

  test('an OIDC issuer requires all of its settings [PPL-18]', () => {
    const together =
      'PARLEY_OIDC_ISSUER, PARLEY_OIDC_CLIENT_ID, PARLEY_OIDC_CLIENT_SECRET together, or none of them'
    expect(configOf(issuer).oidc).toEqual({
      issuer: 'https://id.example.com/',
      ...{
        clientId: 'parley',
        clientSecret: 'quiet',
        name: 'Single sign-on',
        scopes: 'openid email profile',
      },
    })
    for (const name of Object.keys(issuer))
      expect(mistakesIn({ ...issuer, [name]: '' }).join()).toMatch(
        new RegExp(`^${name} is not set, but PARLEY_OIDC_\\w+ is; accepted: ${together}$`),
      )
    expect(mistakesIn({ PARLEY_OIDC_CLIENT_ID: 'parley' })).toHaveLength(2)
    expect(configOf({ PARLEY_OIDC_NAME: 'Us' }).oidc).toBeNull()
  })

  test('more than one worker requires DATABASE_URL', () => {
    expect(mistakesIn({ PARLEY_WORKERS: '2' })).toEqual([
      'PARLEY_WORKERS is more than 1, but DATABASE_URL is not set; accepted: 1, or more with DATABASE_URL',
    ])
  })

  test('the errors list every mistake of every kind at once', () => {
    const names = mistakesIn({
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

describe('unknown names [CFG-2]', () => {
  test.each([
    ['PARLEY_SECERT', 'did you mean PARLEY_SECRET?'],
    ['PARLEY_DATADIR', 'did you mean PARLEY_DATA_DIR?'],
    ['PARLEY_REALTIME_INPUT_FORMAT', 'did you mean PARLEY_REALTIME_INPUT_FORMATS?'],
    ['PARLEY_PORT', 'did you mean PORT?'],
    ['PARLEY_LOGLEVEL', 'did you mean LOG_LEVEL?'],
    ['PARLEY_FOO', 'accepted: the names in .env.example'],
  ])('%s: %s', (name, advice) => {
    expect(mistakesIn({ [name]: 'sensitive' })).toEqual([`${name} is not a setting; ${advice}`])
  })

  test.each(['PARLEY_URL', 'PARLEY_ORG_ID', 'PARLEY_API_KEY', 'PARLEY_AGENT_ID'])(
    'the client variable %s is ignored',
    (name) => expect(configOf({ [name]: 'sensitive' })).toEqual(defaults),
  )

  test('the variables that Kubernetes adds for a service named parley are accepted', () => {
    const names =
      'SERVICE_HOST SERVICE_PORT SERVICE_PORT_HTTP PORT PORT_80_TCP PORT_80_TCP_PROTO PORT_80_TCP_PORT PORT_80_TCP_ADDR DB_SERVICE_HOST'
    const links = Object.fromEntries(names.split(' ').map((name) => [`PARLEY_${name}`, 'tcp://10.0.0.1:80']))
    expect(configOf(links)).toEqual(defaults)
  })
})

describe('secrets [5-4]', () => {
  const leak = 'hunter2'

  test.each([
    ['PARLEY_SECRET', leak],
    ['PARLEY_BOOTSTRAP_API_KEY', `prl_${leak}`],
    ['OPENAI_API_KEY', `${leak} `],
    ['PARLEY_OIDC_CLIENT_SECRET', `${leak} `],
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
  ])('the service rejects %s=%s without showing the value', (name, value) => {
    const lines = mistakesIn({ [name]: value })
    expect(lines).not.toEqual([])
    expect(lines.join('\n')).not.toContain(leak)
  })
})
