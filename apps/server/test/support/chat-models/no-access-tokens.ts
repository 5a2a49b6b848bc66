import type { AccessTokens } from '#server/ports/access-tokens.js'

/** For tests without connections to Vertex AI. */
export const noAccessTokens: AccessTokens = {
  tokenFor: async () => ({ ok: false, reason: 'misconfigured', status: null, detail: 'No tokens.' }),
  forget: () => undefined,
}
