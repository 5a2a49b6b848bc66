import type { SettingValues } from './settings.js'

/** The model provider that the environment sets. */
export interface EnvironmentProvider {
  /** The setting that selects the provider. */
  readonly from: 'PARLEY_CHAT_URL' | 'OPENAI_API_KEY' | 'ANTHROPIC_API_KEY' | 'OLLAMA_HOST'
  readonly kind: 'openai' | 'openai-compatible' | 'anthropic'
  readonly apiKey: string | null
  readonly baseUrl: string | null
  /** The chat model from PARLEY_CHAT_MODEL or the default of the provider. Null if neither exists. */
  readonly chatModel: string | null
  /** Whether the model comes from PARLEY_CHAT_MODEL. It then overrides the stored model. */
  readonly isModelNamed: boolean
  /** Whether the provider has only text models, so that the built-in engine provides speech. */
  readonly isVoiced: boolean
}

/** The text models that are used if PARLEY_CHAT_MODEL is not set. */
const ownModels = { openai: 'gpt-5-mini', anthropic: 'claude-sonnet-4-5' }

/**
 * Returns the first provider that is set, or null. Parley's own setting takes precedence over those that
 * other programs read too, and a provider with voice over one without. OLLAMA_HOST comes last, because many
 * machines set it for other reasons.
 */
export function environmentProviderOf(values: SettingValues): EnvironmentProvider | null {
  const named = values.PARLEY_CHAT_MODEL
  const isModelNamed = named !== null
  if (values.PARLEY_CHAT_URL !== null) return chatServer('PARLEY_CHAT_URL', values.PARLEY_CHAT_URL, values)
  if (values.OPENAI_API_KEY !== null)
    return {
      from: 'OPENAI_API_KEY',
      kind: values.OPENAI_BASE_URL === null ? 'openai' : 'openai-compatible',
      apiKey: values.OPENAI_API_KEY,
      baseUrl: values.OPENAI_BASE_URL,
      // The model is null for another server, because its models are unknown.
      chatModel: named ?? (values.OPENAI_BASE_URL === null ? ownModels.openai : null),
      isModelNamed,
      isVoiced: false,
    }
  if (values.ANTHROPIC_API_KEY !== null)
    return {
      from: 'ANTHROPIC_API_KEY',
      kind: 'anthropic',
      apiKey: values.ANTHROPIC_API_KEY,
      baseUrl: values.ANTHROPIC_BASE_URL,
      chatModel: named ?? ownModels.anthropic,
      isModelNamed,
      isVoiced: true,
    }
  return values.OLLAMA_HOST === null ? null : chatServer('OLLAMA_HOST', values.OLLAMA_HOST, values)
}

function chatServer(
  from: 'PARLEY_CHAT_URL' | 'OLLAMA_HOST',
  baseUrl: string,
  { PARLEY_CHAT_MODEL: chatModel, PARLEY_CHAT_API_KEY: apiKey }: SettingValues,
): EnvironmentProvider {
  const isModelNamed = chatModel !== null
  return { from, kind: 'openai-compatible', apiKey, baseUrl, chatModel, isModelNamed, isVoiced: true }
}
