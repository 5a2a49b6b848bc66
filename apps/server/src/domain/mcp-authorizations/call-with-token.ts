import type { McpServerTarget } from '../../ports/tool-executor.js'
import type { McpTokens } from './mcp-tokens.js'

/**
 * The outcome of a call. `isUnauthorized` means that the server requires authorization and did not process
 * the call.
 */
interface Refusable {
  readonly ok: boolean
  readonly isUnauthorized?: true | undefined
}

const hint =
  'The MCP server requires authorization. Authorize it in the console under MCP servers or with parley mcp authorize, or give the tool an Authorization header.'

/**
 * Calls an MCP server with the organization's token, if it has one and the tool has no Authorization header
 * of its own. If the server rejects the token, the token is renewed and the call is repeated once.
 */
export async function callWithToken<Outcome extends Refusable>(
  tokens: McpTokens,
  target: McpServerTarget,
  { call, refuse }: TokenCall<Outcome>,
): Promise<Outcome> {
  const { organizationId, url, headers } = target
  const bringsOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  if (url === null || bringsOwn) return call(target)
  const place = { organizationId, serverUrl: url }
  const found = await tokens.current(place)
  if (found === null) {
    const outcome = await call(target)
    return outcome.isUnauthorized === true ? refuse(hint) : outcome
  }
  if (!found.ok) return refuse(found.detail)
  const withToken = (token: string) => ({
    ...target,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  const outcome = await call(withToken(found.token))
  if (outcome.isUnauthorized !== true) return outcome
  const renewed = await tokens.renewed(place, found.token)
  return renewed.ok ? call(withToken(renewed.token)) : refuse(renewed.detail)
}

export interface TokenCall<Outcome> {
  readonly call: (target: McpServerTarget) => Promise<Outcome>
  /** Returns the outcome of a call that could not be made, with the reason. */
  readonly refuse: (detail: string) => Outcome
}
