import { createHash } from 'node:crypto'
import type { ServiceAccountKey } from '@parley/contract'
import { z } from 'zod'
import { BoundedMap } from '../../concurrency/bounded-map.js'
import { raceWithSignal } from '../../concurrency/deadline.js'
import type { AccessToken, AccessTokens } from '../../ports/access-tokens.js'
import type { OutboundResponse, ProviderOutbound } from '../../ports/outbound.js'
import type { Clock, Timers } from '../../ports/time.js'
import { signedRequest } from './signed-request.js'

const maxResponseBytes = 64 * 1024
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** A token is replaced this long before it expires, or after half of its time if that is less. */
const earlySeconds = 300
const defaultLifetimeSeconds = 3600
/** The oldest tokens are forgotten beyond this many. */
const maxTokens = 1000

const TokenResponse = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  expires_in: z.number().min(0).max(86_400).default(defaultLifetimeSeconds),
})
const ErrorResponse = z.object({ error: z.string().regex(/^[a-z_]{1,50}$/) })

interface KeptToken {
  readonly token: string
  readonly replaceAt: number
}

export interface AccessTokensParts {
  readonly providerOutbound: ProviderOutbound
  readonly clock: Clock
  readonly timers: Timers
  /** The limit for one request to a token address. */
  readonly timeoutMilliseconds?: number
}

/**
 * Requests access tokens from the addresses in the keys, which the outbound guard checks like every address that a caller has
 * chosen. Concurrent callers with the same key share one request. Tokens are kept in memory only.
 */
export function makeAccessTokens({
  providerOutbound,
  clock,
  timers,
  timeoutMilliseconds = 10_000,
}: AccessTokensParts): AccessTokens {
  const kept = new BoundedMap<string, KeptToken>(maxTokens)
  const requests = new Map<string, Promise<AccessToken>>()

  function keep(id: string, { access_token: token, expires_in: seconds }: z.output<typeof TokenResponse>) {
    const early = Math.min(earlySeconds, seconds / 2)
    kept.set(id, { token, replaceAt: timers.monotonic() + (seconds - early) * 1000 })
  }

  async function request(id: string, key: ServiceAccountKey): Promise<AccessToken> {
    const assertion = await signedRequest(key, clock.now())
    if (assertion === null)
      return failed('misconfigured', null, 'The private key in apiKey cannot be read. Create a new JSON key.')
    const outbound = providerOutbound.forConnection({ address: key.tokenUrl, isFromEnvironment: false })
    try {
      const response = await outbound.fetch(key.tokenUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: grantType, assertion }).toString(),
        timeoutMilliseconds,
        maxResponseBytes,
        followsRedirects: false,
      })
      const text = await response.text()
      const answer = response.status === 200 ? TokenResponse.safeParse(parsed(text)) : null
      if (!answer?.success) return explain(key, response, text)
      keep(id, answer.data)
      return { ok: true, token: answer.data.access_token }
    } catch (error) {
      if (!outbound.isFailure(error)) throw error
      return failed('unreachable', null, `The token address of the key did not respond: ${error.detail}`)
    }
  }

  function share(id: string, key: ServiceAccountKey): Promise<AccessToken> {
    const running = requests.get(id)
    if (running !== undefined) return running
    const started = request(id, key).finally(() => requests.delete(id))
    requests.set(id, started)
    return started
  }

  return {
    async tokenFor(key, signal) {
      const id = createHash('sha256').update(JSON.stringify(key)).digest('base64')
      const found = kept.get(id)
      if (found !== undefined && timers.monotonic() < found.replaceAt) return { ok: true, token: found.token }
      const shared = share(id, key)
      // A caller that gives up must not end the request of the others.
      return signal === undefined ? shared : raceWithSignal(shared, signal)
    },

    forget(token) {
      for (const [id, { token: other }] of kept) if (other === token) kept.delete(id)
    },
  }
}

function explain({ tokenUrl }: ServiceAccountKey, { status }: OutboundResponse, text: string): AccessToken {
  const { host } = new URL(tokenUrl)
  if (status === 429)
    return failed(
      'busy',
      status,
      `${host} answered 429: it grants no more access tokens now. Try again later.`,
    )
  if (status >= 500) return failed('unreachable', status, `${host} answered ${status}. Try again later.`)
  const known = ErrorResponse.safeParse(parsed(text))
  if (status === 400 || status === 401 || status === 403)
    return failed(
      'misconfigured',
      status,
      `${host} answered ${status}${known.success ? ` (${known.data.error})` : ''}: it rejected the key of the service account. The key or its account was deleted or disabled, or the clock of this server is wrong.`,
    )
  return failed(
    'misconfigured',
    status,
    `${host} answered ${status} without an access token. Check token_uri in the key.`,
  )
}

function failed(
  reason: Extract<AccessToken, { ok: false }>['reason'],
  status: number | null,
  detail: string,
): AccessToken {
  return { ok: false, reason, status, detail }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
