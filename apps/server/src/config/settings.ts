import {
  apiUrl,
  hosts,
  httpOrigin,
  httpUrl,
  listenHost,
  ollamaHost,
  postgresUrl,
  redisUrl,
  trustedProxies,
} from './address-schemas.js'
import { mcpServers } from './mcp-servers.js'
import { organizationSettings } from './organization-settings.js'
import { peopleSettings } from './people-settings.js'
import { realtimeSettings } from './realtime-settings.js'
import { retentionSettings } from './retention-settings.js'
import type { SettingTable, ValuesOf } from './setting.js'
import {
  apiKey,
  directory,
  oneOf,
  otlpHeaders,
  portRange,
  resourceAttributes,
  secret,
  serviceName,
  uuid,
  visibleText,
  wholeNumber,
} from './setting-schemas.js'
import { taskSettings } from './task-settings.js'

/**
 * All settings. A new setting also needs a line in .env.example and one in docs/reference/configuration.md. A test
 * compares the three.
 */
export const settings = {
  HOST: {
    default: '127.0.0.1',
    schema: listenHost,
    about: 'The address to listen on. Use 0.0.0.0 to listen on all addresses.',
  },
  PORT: {
    default: '8080',
    schema: wholeNumber(0, 65_535),
    about: 'The port to listen on. 0 picks a free port.',
  },
  PARLEY_PUBLIC_URL: {
    default: null,
    schema: httpOrigin,
    about: 'The URL that users open. Defaults to a URL made of HOST and PORT.',
  },
  PARLEY_TRUST_PROXY: {
    default: 'false',
    schema: trustedProxies,
    about: 'The proxies whose X-Forwarded-For entries are trusted: their number, or their networks.',
  },
  PARLEY_RATE_LIMIT_PER_MINUTE: {
    default: '600',
    schema: wholeNumber(1, 1_000_000),
    about:
      'The maximum number of requests per minute for each API key, and for each IP address without a valid key.',
  },
  PARLEY_DRAIN_SECONDS: {
    default: '30',
    schema: wholeNumber(0, 3_600),
    about: 'How long running sessions may continue after SIGTERM.',
  },
  PARLEY_LEASE_SECONDS: {
    default: '15',
    schema: wholeNumber(2, 30),
    about:
      'How long an instance may be silent before the others consider it dead. Must be the same for all instances.',
  },
  PARLEY_WORKERS: {
    default: '1',
    schema: wholeNumber(1, 64),
    about: 'The number of processes on this machine. More than one needs DATABASE_URL.',
  },
  PARLEY_RELAY_IO: {
    default: 'fast',
    schema: oneOf('ws', 'fast'),
    about:
      'How the relay reads and writes sockets: directly, below the streams of Node, after a self-check (`fast`), or with the ws library (`ws`).',
  },
  PARLEY_PHONE_AUDIO_PORTS: {
    default: '16384-32766',
    schema: portRange,
    about: 'The UDP ports for the audio of SIP calls. Each call uses one even port.',
  },
  LOG_LEVEL: {
    default: 'info',
    schema: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    about:
      'The minimum severity of log lines. A terminal shows requests, turns and refusals at `debug`; the JSON log has them at `info`.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: null,
    schema: httpUrl,
    about: 'The OpenTelemetry collector that receives traces over OTLP/HTTP. Tracing is off by default.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    default: null,
    schema: otlpHeaders,
    about: 'Headers for the collector, such as an API key. Ignored without OTEL_EXPORTER_OTLP_ENDPOINT.',
    holdsSecret: true,
  },
  OTEL_SERVICE_NAME: {
    default: null,
    schema: serviceName,
    about: 'The service.name of traces. Defaults to the one in OTEL_RESOURCE_ATTRIBUTES, or to parley.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    default: null,
    schema: resourceAttributes,
    about: 'Additional attributes of this deployment in traces, such as deployment.environment.name=staging.',
  },
  DATABASE_URL: {
    default: null,
    schema: postgresUrl,
    about: 'The PostgreSQL database. Defaults to an embedded database in PARLEY_DATA_DIR.',
    holdsSecret: true,
  },
  PARLEY_DATA_DIR: {
    default: './data',
    schema: directory,
    about: 'The directory of the embedded database and of a generated secret.',
  },
  REDIS_URL: {
    default: null,
    schema: redisUrl,
    about:
      'The Redis server through which instances share rate limits and notify each other faster. Not used by default.',
    holdsSecret: true,
  },
  PARLEY_TEMPORARY_FILE_TTL_SECONDS: {
    default: '86400',
    schema: wholeNumber(1, 31_536_000),
    about: 'How long temporary files are kept.',
  },
  PARLEY_MAX_FILE_BYTES: {
    default: '20971520',
    schema: wholeNumber(1024, 1_073_741_824),
    about: 'The maximum size of a temporary file.',
  },
  PARLEY_CHAT_CONTEXT_TOKENS: {
    default: '16000',
    schema: wholeNumber(1000, 2_000_000),
    about:
      'The maximum size of the conversation and files that a text model gets. Older turns are summarized.',
  },
  PARLEY_CHAT_TIMEOUT_SECONDS: {
    default: '120',
    schema: wholeNumber(1, 3_600),
    about: 'How long a text model may take for one step of an answer, including retries.',
  },
  PARLEY_WEBHOOK_TIMEOUT_SECONDS: {
    default: '10',
    schema: wholeNumber(1, 30),
    about: 'How long a webhook receiver may take to respond.',
  },
  PARLEY_SECRET: {
    default: null,
    schema: secret,
    about:
      'The secret that encrypts stored secrets. Generated at the first start, but required with DATABASE_URL.',
    holdsSecret: true,
  },
  PARLEY_SECRET_PREVIOUS: {
    default: null,
    schema: secret,
    about: 'The previous secret. It still decrypts stored secrets until you have run parley secret rotate.',
    holdsSecret: true,
  },
  PARLEY_BOOTSTRAP_ORG_ID: {
    default: null,
    schema: uuid,
    about: 'The ID of the first organization, for automation. Generated by default.',
  },
  PARLEY_BOOTSTRAP_API_KEY: {
    default: null,
    schema: apiKey,
    about: 'The first API key, for automation. By default it is generated and shown once.',
    holdsSecret: true,
  },
  OPENAI_API_KEY: {
    default: null,
    schema: visibleText,
    about:
      "The API key of OpenAI. If it is set, OpenAI is the first organization's default connection instead of the built-in engine.",
    holdsSecret: true,
  },
  OPENAI_BASE_URL: {
    default: null,
    schema: httpUrl,
    about:
      'The URL to use with OPENAI_API_KEY instead of OpenAI. May be a private address. Ignored without the key.',
    holdsSecret: true,
  },
  ANTHROPIC_API_KEY: {
    default: null,
    schema: visibleText,
    about:
      "The API key of Anthropic. If it is set, the first organization's agents use Anthropic, with the built-in engine for speech.",
    holdsSecret: true,
  },
  ANTHROPIC_BASE_URL: {
    default: null,
    schema: apiUrl,
    about: 'The URL to use with ANTHROPIC_API_KEY instead of Anthropic. May be a private address.',
    holdsSecret: true,
  },
  PARLEY_CHAT_URL: {
    default: null,
    schema: apiUrl,
    about: 'A server of text models, such as Ollama, vLLM or llama.cpp. The built-in engine provides speech.',
    holdsSecret: true,
  },
  PARLEY_CHAT_MODEL: {
    default: null,
    schema: visibleText,
    about:
      'The text model of the provider. Defaults to gpt-5-mini, claude-sonnet-4-5 or the first model that PARLEY_CHAT_URL lists.',
  },
  PARLEY_CHAT_API_KEY: {
    default: null,
    schema: visibleText,
    about: 'The API key for PARLEY_CHAT_URL, if it needs one.',
    holdsSecret: true,
  },
  OLLAMA_HOST: {
    default: null,
    schema: ollamaHost,
    about:
      "Ollama's own setting: the address of Ollama. Used like PARLEY_CHAT_URL if no other provider is set.",
  },
  PARLEY_ALLOWED_PRIVATE_HOSTS: {
    default: null,
    schema: hosts,
    about: 'Private or loopback hosts that tools, connections and MCP servers are allowed to reach.',
  },
  PARLEY_MCP_SERVERS: {
    default: '{}',
    schema: mcpServers,
    about: 'Stdio MCP servers that agents can use by name. Agents cannot define their own.',
    holdsSecret: true,
  },
  ...peopleSettings,
  ...realtimeSettings,
  ...organizationSettings,
  ...retentionSettings,
  ...taskSettings,
} as const satisfies SettingTable

export type SettingValues = ValuesOf<typeof settings>
