import type { McpServerTarget } from '../../ports/tool-executor.js'
import type { McpTokens } from './mcp-tokens.js'

/** What may have become of a call: the server wants to know who calls, and has done nothing. */
interface Refusable {
  readonly ok: boolean
  readonly isUnauthorized?: true | undefined
}

const hint =
  'The MCP server asks for authorization: authorize it in the console under MCP servers or with parley mcp authorize, or give the tool an Authorization header.'

/**
 * Calls an MCP server with the organization's token for it, where it has one and the tool brings no Authorization of its
 * own. A token that the server refuses is renewed, and the call is made once more.
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
  /** Makes an outcome of why nothing was called. */
  readonly refuse: (detail: string) => Outcome
}
