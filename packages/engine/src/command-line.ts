import { parseArgs } from 'node:util'
import { openAiTranscriptions } from './speech-to-text/openai-transcriptions.js'
import type { EngineOptions } from './start-engine.js'
import { openAiChat } from './text-model/openai-chat.js'
import { openAiSpeech } from './text-to-speech/openai-speech.js'

export const usage = `parley-engine: a realtime provider that needs no account

  --port <number>              where to listen (8090)
  --host <address>             127.0.0.1 unless told; any other needs --api-key
  --api-key <key>              what clients must show as their bearer token
  --runtime <auto|native|wasm> what runs the recognizer
  --chat <url>                 think elsewhere: a base address up to /v1, with --chat-model and --chat-key
  --transcription <url>        hear elsewhere, with --transcription-model and --transcription-key
  --speech <url>               speak elsewhere, with --speech-model and --speech-key
`

export type Command =
  | { readonly kind: 'start'; readonly options: EngineOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'usage-error'; readonly message: string }

const text = { type: 'string' } as const
const flags = {
  port: text,
  host: text,
  'api-key': text,
  runtime: text,
  help: { type: 'boolean' },
  ...outsideFlags('chat'),
  ...outsideFlags('transcription'),
  ...outsideFlags('speech'),
} as const

export function readCommand(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({ args: [...args], options: flags })
    return values.help === true ? { kind: 'help' } : commandOf(values as Values)
  } catch (error) {
    return { kind: 'usage-error', message: error instanceof Error ? error.message : String(error) }
  }
}

type Values = Readonly<Record<string, string | undefined>>

function commandOf(values: Values): Command {
  const port = Number(values.port ?? '8090')
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    return usageError('--port must be a number up to 65535.')
  const host = values.host ?? '127.0.0.1'
  const secret = values['api-key'] ?? null
  if (secret === null && !['127.0.0.1', '::1', 'localhost'].includes(host))
    return usageError('--api-key is required, because other machines can reach this address.')
  const runtime = values.runtime ?? 'auto'
  if (runtime !== 'auto' && runtime !== 'native' && runtime !== 'wasm')
    return usageError('--runtime must be auto, native or wasm.')
  const chat = outsideOf(values, 'chat', 'default')
  const transcription = outsideOf(values, 'transcription', 'whisper-1')
  const speech = outsideOf(values, 'speech', 'tts-1')
  return {
    kind: 'start',
    options: {
      host,
      port,
      secret,
      runtime,
      ...(chat === null ? {} : { textModel: openAiChat(chat) }),
      ...(transcription === null ? {} : { speechToText: openAiTranscriptions(transcription) }),
      ...(speech === null ? {} : { textToSpeech: openAiSpeech(speech) }),
    },
  }
}

function outsideOf(values: Values, name: string, model: string) {
  const baseUrl = values[name]
  if (baseUrl === undefined) return null
  return { baseUrl, model: values[`${name}-model`] ?? model, apiKey: values[`${name}-key`] ?? null }
}

function outsideFlags<Name extends string>(name: Name) {
  return { [name]: text, [`${name}-model`]: text, [`${name}-key`]: text }
}

function usageError(message: string): Command {
  return { kind: 'usage-error', message }
}
