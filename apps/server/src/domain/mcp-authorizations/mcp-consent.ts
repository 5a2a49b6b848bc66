import {
  type McpConsent,
  type McpConsentAnswer,
  type McpConsentOutcome,
  type McpConsentStart,
  mcpConsentPath,
} from '@parley/contract'
import type { McpAuthorizationRecord } from '../../ports/agent-stores.js'
import type { Database, Stores } from '../../ports/database.js'
import type { McpOAuth, OAuthTokens } from '../../ports/oauth.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { DomainError } from '../domain-error.js'
import { generateToken, hashToken } from '../new-id.js'
import { readResource } from '../resources/resource.js'
import { explainUnsendable, openClientSecret, openStart, sealGrant, sealStart } from './sealed-tokens.js'

const type = 'McpAuthorization'
const consentMilliseconds = 10 * 60_000

export interface McpConsentDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly cipher: Cipher
  readonly oauth: McpOAuth
  readonly publicUrl: () => string
}

/**
 * Requests a person's consent and completes it. The authorization server may be slow, so no transaction is
 * open during requests to it.
 */
export function makeMcpConsents({ database, clock, cipher, oauth, publicUrl }: McpConsentDependencies) {
  const kind = { type, clock, store: (stores: Stores) => stores.mcpAuthorizations }
  const transaction = inTransaction(database)

  /** Removes the pending consent from the row, so that it cannot be completed twice. */
  function takeStart(scope: CallerScope, id: string, state: string): Promise<TakenStart> {
    return transaction(scope, async ({ stores, caller }) => {
      const current = await readLocked(stores, caller.organizationId, id)
      const isOpen =
        current.stateHash === hashToken(state) &&
        current.startedBy === caller.actor.id &&
        Date.parse(current.startedUntil ?? '') > clock.now().getTime()
      if (!isOpen || current.sealedStart === null) return { ok: false }
      const memory = openStart(cipher, current, current.sealedStart)
      await stores.mcpAuthorizations.update({ ...current, ...noStart }, current.version)
      return { ok: true, memory }
    })
  }

  function store(scope: CallerScope, id: string, { memory, tokens }: NewGrant): Promise<string> {
    return transaction(scope, async ({ stores, caller }) => {
      const current = await readLocked(stores, caller.organizationId, id)
      const now = clock.now()
      const { accessToken, refreshToken } = tokens
      const granted: McpAuthorizationRecord = {
        ...current,
        state: 'authorized',
        sealedGrant: sealGrant(cipher, current, { memory, accessToken, refreshToken }),
        expiresAt: expiryOf(now, tokens),
        authorizedBy: { ...caller.actor },
        failure: null,
        version: current.version + 1,
        updatedAt: now.toISOString(),
      }
      await stores.mcpAuthorizations.update(granted, current.version)
      const details = { serverUrl: current.serverUrl, issuer: current.issuer }
      const action = 'mcp_authorization.authorize'
      await recordChange(clock, { stores, caller }, { action, type, id, details })
      return current.serverUrl
    })
  }

  return {
    async begin(scope: CallerScope, id: string, { redirectUri }: McpConsentStart): Promise<McpConsent> {
      const record = await readResource(kind, scope, id)
      // The state contains the id, so that the callback can find the authorization.
      const state = `${id}.${generateToken()}`
      const begun = await oauth.begin({
        serverUrl: record.serverUrl,
        redirectUri: redirectUri ?? `${publicUrl()}${mcpConsentPath}`,
        clientId: record.clientId,
        clientSecret: openClientSecret(cipher, record),
        scope: record.scope,
        state,
      })
      if (!begun.ok) return { authorizationUrl: null, detail: begun.detail }
      const { authorizationUrl, issuer, memory } = begun.value
      await transaction(scope, async ({ stores, caller }) => {
        const current = await readLocked(stores, caller.organizationId, id)
        const started = {
          issuer,
          stateHash: hashToken(state),
          startedBy: caller.actor.id,
          startedUntil: new Date(clock.now().getTime() + consentMilliseconds).toISOString(),
          sealedStart: sealStart(cipher, current, memory),
        }
        await stores.mcpAuthorizations.update({ ...current, ...started }, current.version)
        const details = { serverUrl: current.serverUrl, issuer }
        const action = 'mcp_authorization.begin'
        await recordChange(clock, { stores, caller }, { action, type, id, details })
      })
      return { authorizationUrl, detail: 'Open this URL in a browser and consent within ten minutes.' }
    },

    async complete(
      scope: CallerScope,
      id: string,
      { state, code, issuer }: McpConsentAnswer,
    ): Promise<McpConsentOutcome> {
      const taken = await takeStart(scope, id, state)
      if (!taken.ok)
        return {
          isAuthorized: false,
          detail: 'This authorization request is unknown, already completed, or expired.',
        }
      const { memory } = taken
      const completed = await oauth.complete(memory, { code, issuer })
      if (!completed.ok) return { isAuthorized: false, detail: completed.detail }
      const { accessToken, refreshToken } = completed.value
      const detail = explainUnsendable(accessToken)
      if (detail !== null) {
        await oauth.revoke(memory, refreshToken ?? accessToken)
        return { isAuthorized: false, detail }
      }
      const serverUrl = await store(scope, id, { memory, tokens: completed.value })
      return { isAuthorized: true, detail: `Agents can use ${serverUrl} now.` }
    },
  }
}

type TakenStart = { readonly ok: true; readonly memory: string } | { readonly ok: false }

interface NewGrant {
  readonly memory: string
  readonly tokens: OAuthTokens
}

export const noStart = { stateHash: null, startedBy: null, startedUntil: null, sealedStart: null } as const

export function expiryOf(now: Date, { expiresInSeconds }: OAuthTokens): string | null {
  return expiresInSeconds === null ? null : new Date(now.getTime() + expiresInSeconds * 1000).toISOString()
}

/** Runs a caller's work in its own transaction. */
export function inTransaction(database: Database) {
  return <Result>(scope: CallerScope, work: (scope: CallerScope) => Promise<Result>): Promise<Result> =>
    database
      .ownedBy({ organizationId: scope.caller.organizationId, kind: 'call' })
      .transaction((stores) => work({ ...scope, stores }))
}

async function readLocked(stores: Stores, organizationId: string, id: string) {
  const current = await stores.mcpAuthorizations.findLocked(organizationId, id)
  if (current === null) throw new DomainError('NotFound', 'Authorization not found in this organization.')
  return current
}
