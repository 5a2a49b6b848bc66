import type { OpenAICompatibleProviderSettings } from '@ai-sdk/openai-compatible'
import type { LanguageModelV3 } from '@ai-sdk/provider'
import { apiAddress, connectionAddress } from '@parley/contract'
import type { ChatTarget } from '../../ports/chat-model.js'

/** A model from the provider packages. Each call is one step. */
export type ProviderModel = LanguageModelV3
export type ProviderCall = Parameters<ProviderModel['doStream']>[0]
export type ProviderStream = Awaited<ReturnType<ProviderModel['doStream']>>['stream']

export type FoundProviderModel =
  | { readonly ok: true; readonly model: ProviderModel }
  | { readonly ok: false; readonly problem: string }

/**
 * Returns the model for a target. Address and key are always passed explicitly. Otherwise, the packages would
 * read them from the environment and send the operator's key to an address that a caller chose. A package is
 * loaded when its kind is first used, because loading all of them delays the start and most installations use
 * one.
 */
export async function providerModelOf(
  { kind, baseUrl, apiKey, model }: ChatTarget,
  fetch: typeof globalThis.fetch,
): Promise<FoundProviderModel> {
  if (kind === 'embedded') return { ok: false, problem: 'The built-in engine has no network address.' }
  if (kind === 'azure-voice-live')
    return { ok: false, problem: 'Connections of kind azure-voice-live have no text models.' }
  const address = connectionAddress({ kind, baseUrl })
  if (address === null) return { ok: false, problem: 'The connection has no baseUrl. Set it and try again.' }
  const baseURL = apiAddress(kind, address)
  if (kind === 'openai-compatible')
    return compatible({ ...(apiKey !== null && { apiKey }), ...named(baseURL, fetch) }, model)
  if (apiKey === null)
    return { ok: false, problem: 'No key is stored for this connection. Set apiKey and try again.' }
  switch (kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return found(createOpenAI({ baseURL, apiKey, fetch }).chat(model))
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return found(createAnthropic({ baseURL, apiKey, fetch }).chat(model))
    }
    case 'xai':
    case 'qwen':
      return compatible({ apiKey, ...named(baseURL, fetch) }, model)
    case 'google':
      // Gemini's endpoint in OpenAI's form.
      return compatible({ apiKey, ...named(`${baseURL}/openai`, fetch) }, model)
    case 'azure-openai':
      return compatible({ headers: { 'api-key': apiKey }, ...named(baseURL, fetch) }, model)
  }
}

async function compatible(
  settings: OpenAICompatibleProviderSettings,
  model: string,
): Promise<FoundProviderModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return found(createOpenAICompatible(settings).chatModel(model))
}

const found = (model: ProviderModel): FoundProviderModel => ({ ok: true, model })

const named = (baseURL: string, fetch: typeof globalThis.fetch) => ({
  name: 'compatible',
  baseURL,
  fetch,
  includeUsage: true,
  supportsStructuredOutputs: true,
})
