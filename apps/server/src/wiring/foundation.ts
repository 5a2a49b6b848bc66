import { makeAccessTokens } from '../adapters/google-access/access-tokens.js'
import { makeOutbound } from '../adapters/outbound/outbound.js'
import { makeProviderOutbound } from '../adapters/outbound/provider-outbound.js'
import { systemTimers } from '../adapters/system/timers.js'
import type { Config } from '../config/config.js'
import { type Agents, makeAgents } from '../domain/agents/agents.js'
import { type Connections, makeConnections } from '../domain/connections/connections.js'
import {
  ensureEnvironmentConnections,
  forgetEnvironmentConnections,
} from '../domain/first-start/environment-connections.js'
import { ensureFirstStart, type FirstStart } from '../domain/first-start/first-start.js'
import type { Limits } from '../domain/limits/organization-limits.js'
import type { AccessTokens } from '../ports/access-tokens.js'
import type { Database } from '../ports/database.js'
import type { Outbound, ProviderOutbound } from '../ports/outbound.js'
import type { ChainKeys, Cipher, SecretKeeper } from '../ports/secrets.js'
import type { Clock, Timers } from '../ports/time.js'
import type { OpenedDatabase } from './open-with-secrets.js'

/** The common foundation of the service and the operator's command. */
export interface Foundation {
  readonly database: Database
  readonly clock: Clock
  readonly limits: Limits
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
  readonly secrets: SecretKeeper
  readonly outbound: Outbound
  readonly providerOutbound: ProviderOutbound
  readonly accessTokens: AccessTokens
  readonly agents: Agents
  readonly connections: Connections
}

export async function composeFoundation(
  config: Config,
  {
    opened,
    clock,
    limits,
    timers = systemTimers,
  }: Pick<Foundation, 'clock' | 'limits'> & { readonly opened: OpenedDatabase; readonly timers?: Timers },
): Promise<Foundation> {
  const { database, cipher, chainKeys, secrets } = opened
  const { allowedPrivateHosts } = config
  const outbound = makeOutbound({ allowedPrivateHosts })
  const environmentAddress = config.environmentProvider?.baseUrl ?? null
  const providerOutbound = makeProviderOutbound({ outbound, allowedPrivateHosts, environmentAddress })
  const accessTokens = makeAccessTokens({ providerOutbound, clock, timers })
  const mcpServerNames = Object.keys(config.mcpServers)
  const agents = makeAgents({ clock, limits, cipher, outbound, mcpServerNames })
  const connections = makeConnections({ clock, limits, cipher, providerOutbound })
  return {
    database,
    clock,
    limits,
    cipher,
    chainKeys,
    secrets,
    outbound,
    providerOutbound,
    accessTokens,
    agents,
    connections,
  }
}

/**
 * Creates the first organization on first start, and synchronizes the connections from the environment.
 * Returns null if this is not the first start.
 */
export async function setUpInstallation(config: Config, foundation: Foundation): Promise<FirstStart | null> {
  const firstStart = await ensureFirstStart(foundation, config.bootstrap)
  const { environmentProvider } = config
  if (environmentProvider === null) await forgetEnvironmentConnections(foundation)
  else await ensureEnvironmentConnections(foundation, environmentProvider)
  return firstStart
}
