import type { McpConsent } from '@parley/contract'
import type { RunningService } from '../start-service.js'
import { pageQueryOf } from './oauth-flow.js'

/** The request of the console that completes a consent. */
export interface ConsentAnswer {
  readonly state: string
  readonly code: string
  readonly issuer: string | null
}

/** Follows the consent redirect as a browser does and returns to the console with the issuer's response. */
export async function consentTo({ client }: RunningService, authorizationId: string): Promise<ConsentAnswer> {
  const path = `/api/v1/McpAuthorization/${authorizationId}/consent`
  const { body } = await client.call<McpConsent>('POST', path, { body: {} })
  const sent = await fetch(body.authorizationUrl ?? body.detail, { redirect: 'manual' })
  const back = await fetch(sent.headers.get('location') ?? '', { redirect: 'manual' })
  const query = pageQueryOf('mcp-consent', back)
  const { state = '', code = '', iss = null } = Object.fromEntries(new URLSearchParams(query))
  return { state, code, issuer: iss }
}
