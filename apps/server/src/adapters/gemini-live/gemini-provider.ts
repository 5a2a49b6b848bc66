import { apiAddress, readServiceAccountKey, type VertexProject, vertexProject } from '@parley/contract'
import type { RelayIo } from '@parley/relay-socket'
import type { AccessTokens } from '../../ports/access-tokens.js'
import type { ProviderOutbound } from '../../ports/outbound.js'
import type { ProviderConnection, ProviderTarget, RealtimeProvider } from '../../ports/realtime-provider.js'
import type { Timers } from '../../ports/time.js'
import { openGuarded } from '../openai-realtime/open-socket.js'
import { connectTranslated } from '../realtime-dialects/translated-socket.js'
import { GeminiDialect } from './gemini-dialect.js'
import { resourceName, vertexResourceName } from './gemini-model.js'

export interface GeminiOptions {
  readonly providerOutbound: ProviderOutbound
  readonly accessTokens: AccessTokens
  readonly maxMessageBytes: number
  readonly relayIo: RelayIo
  readonly timers: Timers
}

/** Connects `google` connections to Gemini Live, and all others through `elsewhere`. */
export function withGeminiLive(elsewhere: RealtimeProvider, options: GeminiOptions): RealtimeProvider {
  const { timers } = options
  return {
    connect(target, opening, signal) {
      if (target.kind !== 'google') return elsewhere.connect(target, opening, signal)
      const startedAt = timers.monotonic()
      const project = vertexProject(target.address)
      const open = project === null ? openGemini : openVertex(project)
      const nameOf = project === null ? resourceName : vertexResourceName(project)
      return connectTranslated(
        {
          timers,
          open: (ownSignal) => open(target, options, ownSignal),
          makeDialect: (output) => new GeminiDialect(output, opening, startedAt, nameOf),
        },
        signal,
      )
    },
  }
}

type Open = (
  target: ProviderTarget,
  options: GeminiOptions,
  signal: AbortSignal,
) => Promise<ProviderConnection>

const openGemini: Open = (target, options, signal) => {
  const { address, apiKey } = target
  return openGuarded(liveUrl(address, apiKey), target, { ...options, secret: apiKey }, signal)
}

/**
 * Connects to Vertex AI with an access token of a service account. If the server rejects a token that was kept, another one is
 * requested once.
 */
const openVertex =
  (project: VertexProject): Open =>
  async (target, options, signal) => {
    const { accessTokens } = options
    const key = readServiceAccountKey(target.apiKey ?? '')
    if (key === null)
      return {
        ok: false,
        reason: 'misconfigured',
        detail: 'The connection has no JSON key of a service account. Set apiKey.',
      }
    const attempt = async () => {
      let isRejected = false
      const found = await accessTokens.tokenFor(key, signal)
      if (!found.ok) return { isRejected, connection: found }
      const { token } = found
      const onRefused = (status: number) => {
        isRejected = status === 401
        if (isRejected) accessTokens.forget(token)
      }
      const headers = { authorization: `Bearer ${token}` }
      const access = { secret: token, headers, onRefused }
      const connection = await openGuarded(vertexUrl(project), target, { ...options, ...access }, signal)
      return { isRejected, connection }
    }
    const first = await attempt()
    return first.isRejected ? (await attempt()).connection : first.connection
  }

/** Returns the address of the Live API. The version of the API is the end of the connection's address. */
function liveUrl(address: string, apiKey: string | null): URL {
  const url = new URL(apiAddress('google', address))
  const [, path = '', version = ''] = /^(.*)\/([^/]+)$/.exec(url.pathname) ?? []
  url.pathname = `${path}/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
  if (apiKey !== null) url.searchParams.set('key', apiKey)
  return url
}

function vertexUrl({ serverUrl, version }: VertexProject): URL {
  const url = new URL(`${serverUrl}/ws/google.cloud.aiplatform.${version}.LlmBidiService/BidiGenerateContent`)
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
  return url
}
