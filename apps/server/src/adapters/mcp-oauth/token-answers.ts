import type { OAuthTokens as WireTokens } from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { OAuthTokens } from '../../ports/oauth.js'

const maxExpirySeconds = 10 * 365 * 24 * 60 * 60

/**
 * A token response, parsed field by field, so that an invalid field does not lose a refresh token that the
 * issuer sends only once.
 */
const Answer = z.object({
  access_token: z.string().catch(''),
  token_type: z.string().catch('Bearer'),
  refresh_token: z.string().optional().catch(undefined),
  expires_in: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ])
    .optional()
    .catch(undefined),
})

/**
 * A fetch function for the token endpoint. It makes the library accept every successful response that
 * contains a token.
 */
export function tolerantTokenFetch(fetchFn: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchFn(input, init)
    if (!response.ok) return response
    const text = await response.text()
    const headers = { 'content-type': 'application/json' }
    return new Response(repaired(text), { status: response.status, headers })
  }
}

function repaired(text: string): string {
  const answer = parseObject(text)
  if (answer === null) return text
  const parsed = Answer.parse(answer)
  const holdsToken = parsed.access_token !== '' || parsed.refresh_token !== undefined
  return holdsToken ? JSON.stringify(parsed) : text
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

/**
 * Returns the tokens of a response. An expiry that is negative or more than ten years in the future counts as
 * unknown.
 */
export function tokensOf({ access_token, refresh_token, expires_in = -1 }: WireTokens): OAuthTokens {
  const isExpiryKnown = expires_in >= 0 && expires_in <= maxExpirySeconds
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresInSeconds: isExpiryKnown ? expires_in : null,
  }
}
