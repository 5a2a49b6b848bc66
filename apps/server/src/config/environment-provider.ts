import type { SettingValues } from './settings.js'

/** The provider that the operator's environment names. */
export interface EnvironmentProvider {
  /** The setting that names it. */
  readonly from: 'PARLEY_CHAT_URL' | 'OPENAI_API_KEY' | 'ANTHROPIC_API_KEY' | 'OLLAMA_HOST'
  readonly kind: 'openai' | 'openai-compatible' | 'anthropic'
  readonly apiKey: string | null
  readonly baseUrl: string | null
  /** The chat model, where the operator names one or the provider has one that is taken unasked. */
  readonly chatModel: string | null
  /** Whether PARLEY_CHAT_MODEL names it: then it goes before what was stored. */
  readonly isModelNamed: boolean
  /** It has text models alone, and the built-in engine speaks for them. */
  readonly isVoiced: boolean
}

/** What the agents think with in text unless PARLEY_CHAT_MODEL says otherwise. */
const ownModels = { openai: 'gpt-5-mini', anthropic: 'claude-sonnet-4-5' }

/**
 * The first of them that is set. What was set for Parley goes before what other programs read too, and what speaks
 * for itself before what the engine speaks for; Ollama's own setting is there on many machines for other reasons.
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
      // What another server has, nobody knows.
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
