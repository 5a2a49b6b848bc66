import type { OpenAICompatibleProviderSettings } from '@ai-sdk/openai-compatible'
import type { LanguageModelV3 } from '@ai-sdk/provider'
import { apiAddress, connectionAddress, readServiceAccountKey, vertexProject } from '@parley/contract'
import type { AccessTokens } from '../../ports/access-tokens.js'
import type { ChatTarget } from '../../ports/chat-model.js'

/** A model from the provider packages. Each call is one step. */
export type ProviderModel = LanguageModelV3
export type ProviderCall = Parameters<ProviderModel['doStream']>[0]
export type ProviderStream = Awaited<ReturnType<ProviderModel['doStream']>>['stream']

export type FoundProviderModel =
  | {
      readonly ok: true
      readonly model: ProviderModel
      /** The secret in the requests, which no error message may contain. */
      readonly secret: string | null
    }
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
  access: { readonly tokens: AccessTokens; readonly signal: AbortSignal },
): Promise<FoundProviderModel> {
  if (kind === 'embedded') return { ok: false, problem: 'The built-in engine has no network address.' }
  if (kind === 'azure-voice-live')
    return { ok: false, problem: 'Connections of kind azure-voice-live have no text models.' }
  const address = connectionAddress({ kind, baseUrl })
  if (address === null) return { ok: false, problem: 'The connection has no baseUrl. Set it and try again.' }
  const baseURL = apiAddress(kind, address)
  if (kind === 'openai-compatible')
    return compatible({ ...(apiKey !== null && { apiKey }), ...named(baseURL, fetch) }, model, apiKey)
  if (apiKey === null)
    return { ok: false, problem: 'No key is stored for this connection. Set apiKey and try again.' }
  switch (kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return found(createOpenAI({ baseURL, apiKey, fetch }).chat(model), apiKey)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return found(createAnthropic({ baseURL, apiKey, fetch }).chat(model), apiKey)
    }
    case 'xai':
    case 'qwen':
      return compatible({ apiKey, ...named(baseURL, fetch) }, model, apiKey)
    case 'google':
      if (vertexProject(address) !== null) return vertexModel({ baseURL, apiKey, model }, fetch, access)
      // Gemini's endpoint in OpenAI's form.
      return compatible({ apiKey, ...named(`${baseURL}/openai`, fetch) }, model, apiKey)
    case 'azure-openai':
      return compatible({ headers: { 'api-key': apiKey }, ...named(baseURL, fetch) }, model, apiKey)
  }
}

/** Returns a model of Vertex AI, at its endpoint in OpenAI's form. Names without a publisher are those of Google. */
async function vertexModel(
  { baseURL, apiKey, model }: { readonly baseURL: string; readonly apiKey: string; readonly model: string },
  fetch: typeof globalThis.fetch,
  { tokens, signal }: { readonly tokens: AccessTokens; readonly signal: AbortSignal },
): Promise<FoundProviderModel> {
  const key = readServiceAccountKey(apiKey)
  if (key === null)
    return { ok: false, problem: 'apiKey is not the JSON key of a service account. Set it again.' }
  const access = await tokens.tokenFor(key, signal)
  if (!access.ok) return { ok: false, problem: access.detail }
  const { token } = access
  const observed: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (response.status === 401) tokens.forget(token)
    return response
  }
  const name = model.includes('/') ? model : `google/${model}`
  return compatible({ apiKey: token, ...named(`${baseURL}/endpoints/openapi`, observed) }, name, token)
}

async function compatible(
  settings: OpenAICompatibleProviderSettings,
  model: string,
  secret: string | null,
): Promise<FoundProviderModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return found(createOpenAICompatible(settings).chatModel(model), secret)
}

const found = (model: ProviderModel, secret: string | null): FoundProviderModel => ({
  ok: true,
  model,
  secret,
})

const named = (baseURL: string, fetch: typeof globalThis.fetch) => ({
  name: 'compatible',
  baseURL,
  fetch,
  includeUsage: true,
  supportsStructuredOutputs: true,
})
