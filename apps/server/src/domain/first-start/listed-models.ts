import { z } from 'zod'
import type { ProviderOutbound } from '../../ports/outbound.js'

const timeoutMilliseconds = 3000
const maxResponseBytes = 1024 * 1024

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/** What can be asked of a server of text models that says no more of itself than its address. */
interface ChatServer {
  readonly kind: string
  readonly apiKey: string | null
  readonly baseUrl: string | null
  readonly chatModel: string | null
  readonly isVoiced: boolean
}

/**
 * The first model that a server lists, where none is named: most serve one alone. null where it does not answer in time
 * or lists none; a start does not fail for it.
 */
export async function findFirstModel(
  providerOutbound: ProviderOutbound,
  { kind, apiKey, baseUrl, chatModel, isVoiced }: ChatServer,
): Promise<string | null> {
  if (!isVoiced || kind !== 'openai-compatible' || baseUrl === null || chatModel !== null) return null
  try {
    const outbound = providerOutbound.forConnection({ address: baseUrl, isFromEnvironment: true })
    const headers = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
    const response = await outbound.fetch(`${baseUrl}/models`, {
      headers,
      timeoutMilliseconds,
      maxResponseBytes,
    })
    const { data } = ModelList.parse(JSON.parse(await response.text()))
    return data.map(({ id }) => id).find((id) => !/embed/i.test(id)) ?? null
  } catch {
    return null
  }
}
