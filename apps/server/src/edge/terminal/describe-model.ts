import type { Config } from '../../config/config.js'
import type { AnsweringModel } from '../../domain/first-start/answering-model.js'

const settingsForModels = 'OPENAI_API_KEY, ANTHROPIC_API_KEY or PARLEY_CHAT_URL'

/** Which model answers, and how to change it: a line each. */
export function describeModel(
  answering: AnsweringModel | null,
  { environmentProvider, realtime }: Config,
): string[] {
  if (answering === null)
    return ['none: the first organization has no default connection', 'make one: docs/configuration.md']
  const { kind, model, connectionName, baseUrl, isFromEnvironment, isSpokenByEngine } = answering
  if (kind === 'embedded')
    return ['built-in: small, offline, and it says so', ...wayToReal(environmentProvider, connectionName)]
  const at = `${providerNames[kind] ?? connectionName}${baseUrl === null ? '' : `, ${baseUrl}`}`
  const from = isFromEnvironment && environmentProvider !== null ? ` (${environmentProvider.from})` : ''
  const change = isFromEnvironment
    ? 'another one: PARLEY_CHAT_MODEL, or models of the connection'
    : `chosen as the default connection: ${connectionName}`
  if (isSpokenByEngine)
    return model === null
      ? [
          `none yet at ${at}${from}`,
          'it lists none, or does not answer: start it, then Parley again, or name a model with PARLEY_CHAT_MODEL',
        ]
      : [`${model} at ${at}${from}; the built-in engine speaks for it`, change]
  const text = model === null ? 'no text model yet: name one with PARLEY_CHAT_MODEL' : `text: ${model}`
  return [`${realtime.model} at ${at}${from}`, text, change]
}

/** How the built-in model is left for a real one. */
function wayToReal(provider: Config['environmentProvider'], connectionName: string): string[] {
  const bySetting = `for a real one, set ${settingsForModels}`
  if (provider === null) return [bySetting]
  if (provider.from === 'OLLAMA_HOST')
    return [`(OLLAMA_HOST: no model is listed at ${provider.baseUrl})`, bySetting]
  return [
    `(${provider.from} is set, but somebody chose the default connection: ${connectionName})`,
    'for that one, PATCH its connection with {"isDefault":true}',
  ]
}

const providerNames: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  'azure-openai': 'Azure OpenAI',
  anthropic: 'Anthropic',
  'openai-compatible': 'an OpenAI-compatible server',
}
