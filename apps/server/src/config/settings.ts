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
  resourceAttributes,
  secret,
  serviceName,
  uuid,
  visibleText,
  wholeNumber,
} from './setting-schemas.js'
import { taskSettings } from './task-settings.js'

/** Every setting there is. A new one is a row here, a line in .env.example and one in docs/reference/configuration.md; a test compares the three. */
export const settings = {
  HOST: {
    default: '127.0.0.1',
    schema: listenHost,
    about: 'The address to listen on; 0.0.0.0 for all of this machine.',
  },
  PORT: {
    default: '8080',
    schema: wholeNumber(0, 65_535),
    about: 'The port to listen on; 0 takes a free one.',
  },
  PARLEY_PUBLIC_URL: {
    default: null,
    schema: httpOrigin,
    about: 'The address that users see; unset, it is made from HOST and PORT.',
  },
  PARLEY_TRUST_PROXY: {
    default: 'false',
    schema: trustedProxies,
    about: 'Which proxies are believed about X-Forwarded-For: how many, or those of which networks.',
  },
  PARLEY_RATE_LIMIT_PER_MINUTE: {
    default: '600',
    schema: wholeNumber(1, 1_000_000),
    about: 'Requests per API key, and per address for callers without a good key.',
  },
  PARLEY_DRAIN_SECONDS: {
    default: '30',
    schema: wholeNumber(0, 3_600),
    about: 'How long running sessions may finish after SIGTERM.',
  },
  PARLEY_LEASE_SECONDS: {
    default: '15',
    schema: wholeNumber(2, 30),
    about: 'How long an instance may be silent before the others take it for dead; the same for all of them.',
  },
  PARLEY_WORKERS: {
    default: '1',
    schema: wholeNumber(1, 64),
    about: 'Processes on this machine; more than one needs DATABASE_URL.',
  },
  PARLEY_RELAY_IO: {
    default: 'fast',
    schema: oneOf('ws', 'fast'),
    about:
      'How the relay reads and writes sockets: below the streams of Node after a self-check (`fast`), or with the ws library alone (`ws`).',
  },
  LOG_LEVEL: {
    default: 'info',
    schema: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    about: 'The least severe log lines that are written.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: null,
    schema: httpUrl,
    about: 'The OpenTelemetry collector that traces are sent to, over OTLP/HTTP; unset, nothing is traced.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    default: null,
    schema: otlpHeaders,
    about: 'Headers that the collector wants, such as a key; unused without OTEL_EXPORTER_OTLP_ENDPOINT.',
    holdsSecret: true,
  },
  OTEL_SERVICE_NAME: {
    default: null,
    schema: serviceName,
    about: 'The service.name of traces; unset, the one of OTEL_RESOURCE_ATTRIBUTES, or parley.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    default: null,
    schema: resourceAttributes,
    about: 'What traces say of this deployment besides, such as deployment.environment.name=staging.',
  },
  DATABASE_URL: {
    default: null,
    schema: postgresUrl,
    about: 'The PostgreSQL database; unset, an embedded one under PARLEY_DATA_DIR.',
    holdsSecret: true,
  },
  PARLEY_DATA_DIR: {
    default: './data',
    schema: directory,
    about: 'Where the embedded database and a generated secret are kept.',
  },
  REDIS_URL: {
    default: null,
    schema: redisUrl,
    about: 'Rate limits shared by instances and faster wake-ups between them; unset, in process.',
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
    about: 'The largest temporary file.',
  },
  PARLEY_CHAT_CONTEXT_TOKENS: {
    default: '16000',
    schema: wholeNumber(1000, 2_000_000),
    about: 'How much of a conversation and its files a text model is told; older turns are summarized.',
  },
  PARLEY_CHAT_TIMEOUT_SECONDS: {
    default: '120',
    schema: wholeNumber(1, 3_600),
    about: 'How long a text model may take for one step of an answer, tries included.',
  },
  PARLEY_WEBHOOK_TIMEOUT_SECONDS: {
    default: '10',
    schema: wholeNumber(1, 30),
    about: 'How long a receiver of webhooks may take to answer.',
  },
  PARLEY_SECRET: {
    default: null,
    schema: secret,
    about: 'Encrypts stored secrets; unset, made at first start; required with DATABASE_URL.',
    holdsSecret: true,
  },
  PARLEY_SECRET_PREVIOUS: {
    default: null,
    schema: secret,
    about: 'The secret before this one: what it sealed still opens, until parley secret rotate has been run.',
    holdsSecret: true,
  },
  PARLEY_BOOTSTRAP_ORG_ID: {
    default: null,
    schema: uuid,
    about: 'The id of the first organization, for automation; unset, generated.',
  },
  PARLEY_BOOTSTRAP_API_KEY: {
    default: null,
    schema: apiKey,
    about: 'The first API key, for automation; unset, generated and shown once.',
    holdsSecret: true,
  },
  OPENAI_API_KEY: {
    default: null,
    schema: visibleText,
    about: "When set, the first organization's default connection is OpenAI; unset, the built-in engine.",
    holdsSecret: true,
  },
  OPENAI_BASE_URL: {
    default: null,
    schema: httpUrl,
    about: 'Where OPENAI_API_KEY goes instead of OpenAI, private addresses included; unused without the key.',
    holdsSecret: true,
  },
  ANTHROPIC_API_KEY: {
    default: null,
    schema: visibleText,
    about:
      "When set, the first organization's agents answer through Anthropic, and the built-in engine speaks for it.",
    holdsSecret: true,
  },
  ANTHROPIC_BASE_URL: {
    default: null,
    schema: apiUrl,
    about: 'Where ANTHROPIC_API_KEY goes instead of Anthropic, private addresses included.',
    holdsSecret: true,
  },
  PARLEY_CHAT_URL: {
    default: null,
    schema: apiUrl,
    about:
      'A server of text models that the built-in engine speaks for: Ollama, vLLM, llama.cpp and the like.',
    holdsSecret: true,
  },
  PARLEY_CHAT_MODEL: {
    default: null,
    schema: visibleText,
    about:
      'The text model of the provider named here; unset, gpt-5-mini, claude-sonnet-4-5 or the first one that PARLEY_CHAT_URL lists.',
  },
  PARLEY_CHAT_API_KEY: {
    default: null,
    schema: visibleText,
    about: 'The key of PARLEY_CHAT_URL, where it wants one.',
    holdsSecret: true,
  },
  OLLAMA_HOST: {
    default: null,
    schema: ollamaHost,
    about: "Ollama's own setting: where it is, taken like PARLEY_CHAT_URL when nothing else here is set.",
  },
  PARLEY_ALLOWED_PRIVATE_HOSTS: {
    default: null,
    schema: hosts,
    about: 'Private or loopback hosts that tools, connections and MCP servers may reach all the same.',
  },
  PARLEY_MCP_SERVERS: {
    default: '{}',
    schema: mcpServers,
    about: 'Stdio MCP servers that agents may name, but never define.',
    holdsSecret: true,
  },
  ...peopleSettings,
  ...realtimeSettings,
  ...organizationSettings,
  ...retentionSettings,
  ...taskSettings,
} as const satisfies SettingTable

export type SettingValues = ValuesOf<typeof settings>
