import type { SettingTable } from './setting.js'
import { listOf, trueOrFalse, visibleText, wholeNumber } from './setting-schemas.js'

const audioFormats = listOf('pcm16', 'g711_ulaw', 'g711_alaw')

export const realtimeSettings = {
  PARLEY_REALTIME_ENABLED: {
    default: 'true',
    schema: trueOrFalse,
    about: 'Whether realtime sessions can be started.',
  },
  PARLEY_REALTIME_ACCESS_MODES: {
    default: 'api,console',
    schema: listOf('api', 'console'),
    about: 'The access modes that may start realtime sessions.',
  },
  PARLEY_REALTIME_MODEL: {
    default: 'gpt-realtime-2.1',
    schema: visibleText,
    about: 'The realtime model of connections that do not specify one.',
  },
  PARLEY_REALTIME_TRANSCRIPTION_MODEL: {
    default: 'gpt-transcribe',
    schema: visibleText,
    about: 'The transcription model of connections that do not specify one.',
  },
  PARLEY_REALTIME_INPUT_FORMATS: {
    default: 'pcm16',
    schema: audioFormats,
    about: 'The audio formats that clients may send.',
  },
  PARLEY_REALTIME_OUTPUT_FORMATS: {
    default: 'pcm16',
    schema: audioFormats,
    about: 'The audio formats that clients may request.',
  },
  PARLEY_REALTIME_SESSION_TTL_SECONDS: {
    default: '60',
    schema: wholeNumber(1, 86_400),
    about: 'How long a session token is valid before the client connects.',
  },
  PARLEY_REALTIME_MAX_SESSION_SECONDS: {
    default: '1800',
    schema: wholeNumber(1, 86_400),
    about: 'The maximum duration of a session.',
  },
  PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: {
    default: '60',
    schema: wholeNumber(1, 86_400),
    about: 'How long a session may be idle. Waiting for a person or a tool does not count as idle.',
  },
  PARLEY_REALTIME_APPROVAL_TIMEOUT_SECONDS: {
    default: '300',
    schema: wholeNumber(1, 604_800),
    about: 'How long a tool call waits for approval.',
  },
  PARLEY_REALTIME_MAX_MESSAGE_BYTES: {
    default: '65536',
    schema: wholeNumber(1024, 16_777_216),
    about: 'The maximum size of a frame from a client.',
  },
  PARLEY_REALTIME_PROVIDER_MAX_MESSAGE_BYTES: {
    default: '16777216',
    schema: wholeNumber(1024, 268_435_456),
    about: 'The maximum size of a frame from a provider. Real frames exceed 64 KiB.',
  },
  PARLEY_REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS: {
    default: '15',
    schema: wholeNumber(1, 300),
    about: 'How long connecting to a provider may take.',
  },
} as const satisfies SettingTable
