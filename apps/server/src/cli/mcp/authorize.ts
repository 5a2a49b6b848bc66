import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type FilesContext, type ServiceOptions } from '@parley/agents-as-code'
import { parseUrl } from '@parley/contract'
import type { Parley } from '@parley/sdk'
import { UsageError } from '@parley/terminal'
import { DomainError } from '../../domain/domain-error.js'

export interface AuthorizeOptions extends ServiceOptions {
  readonly clientId?: string
  readonly scope?: string
}

/** How long the service waits for the consent. */
const patienceMilliseconds = 10 * 60_000

/**
 * Gets the organization's tokens for an MCP server. The user consents in a browser on this machine, and the
 * issuer then redirects the browser to a port that this command listens on. A client secret comes from the
 * environment.
 */
export async function authorizeServer(
  { output, env }: FilesContext,
  serverUrl: string,
  { clientId, scope, ...options }: AuthorizeOptions,
): Promise<void> {
  if (parseUrl(serverUrl) === null) throw new UsageError(`${serverUrl} is not a valid server URL.`)
  const { parley } = connect(options, env)
  const clientSecret = env.MCP_CLIENT_SECRET ?? null
  const id = await findOrCreate(parley, {
    serverUrl,
    clientId: clientId ?? null,
    clientSecret,
    scope: scope ?? null,
  })
  const server = createServer().listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
    const { authorizationUrl, detail } = await parley.mcpAuthorizations.beginConsent(id, { redirectUri })
    if (authorizationUrl === null) throw new DomainError('Unavailable', detail)
    output.note(
      'Open this URL in a browser on this machine and give your consent:',
      '',
      `  ${authorizationUrl}`,
      '',
    )
    const brought = await callbackOf(server)
    const error = brought.get('error')
    if (error !== null)
      throw new DomainError(
        'Forbidden',
        `The issuer returned an error: ${brought.get('error_description') ?? error}.`,
      )
    const outcome = await parley.mcpAuthorizations.completeConsent(id, {
      state: brought.get('state') ?? '',
      code: brought.get('code') ?? '',
      issuer: brought.get('iss'),
    })
    if (!outcome.isAuthorized) throw new DomainError('Forbidden', outcome.detail)
    output.result({ id, serverUrl, isAuthorized: true }, () => [outcome.detail])
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

interface NamedServer {
  readonly serverUrl: string
  readonly clientId: string | null
  readonly clientSecret: string | null
  readonly scope: string | null
}

/** Returns the existing authorization for the same server, client and scope, or creates one. */
async function findOrCreate({ mcpAuthorizations }: Parley, named: NamedServer): Promise<string> {
  if (named.clientSecret === null)
    for (const each of (await mcpAuthorizations.list({ Limit: 200 })).items)
      if (
        each.serverUrl === named.serverUrl &&
        each.clientId === named.clientId &&
        each.scope === named.scope &&
        !each.hasClientSecret
      )
        return each.id
  return (await mcpAuthorizations.create(named)).id
}

/** Returns the query of the browser's redirect. Any other request on this port gets a 404. */
function callbackOf(server: Server): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new DomainError('Unavailable', 'No consent was given within ten minutes. Run the command again.'),
        ),
      patienceMilliseconds,
    )
    server.on('request', ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
      if (pathname !== '/callback') return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      response.end('Done. You can close this window and go back to the terminal.\n', () => {
        clearTimeout(timer)
        resolve(searchParams)
      })
    })
  })
}
