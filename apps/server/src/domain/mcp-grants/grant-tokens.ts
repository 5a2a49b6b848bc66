import { createHash } from 'node:crypto'
import type { Stores } from '../../ports/database.js'
import type { McpGrantRecord, McpTokenRecord } from '../../ports/people-stores.js'
import { recordChange } from '../audit/record-change.js'
import { systemCaller } from '../caller-scope.js'
import { generateToken, hashToken } from '../new-id.js'
import { requireResource } from './access-request.js'
import { after, grantMilliseconds, type McpGrantsDependencies } from './mcp-grants.js'
import { OAuthRefusal } from './oauth-refusal.js'

export const accessSeconds = 15 * 60

export const accessTokenForm = /^prt_[\w-]{43}$/

/** A client's tokens. Only this response contains them. */
export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly scope: string
}

export interface CodeExchange {
  readonly code: string
  readonly codeVerifier: string
  readonly clientId: string
  readonly redirectUri: string | null
  readonly resource: string | null
}

export interface TokenRenewal {
  readonly refreshToken: string
  readonly clientId: string
  readonly resource: string | null
}

type Verdict<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/**
 * Issues tokens in exchange for an authorization code or a refresh token. Each can be used once. A
 * second use may mean that it was stolen, so the whole grant is removed.
 */
export function makeGrantTokens({ database, clock, resource }: McpGrantsDependencies) {
  async function issue(stores: Stores, grant: McpGrantRecord): Promise<IssuedTokens> {
    const now = clock.now()
    const accessToken = `prt_${generateToken()}`
    const refreshToken = `prr_${generateToken()}`
    const expiresAt = after(now, grantMilliseconds)
    const tokens: readonly McpTokenRecord[] = [
      { ...tokenOf(grant, accessToken, 'access'), expiresAt: after(now, accessSeconds * 1000) },
      { ...tokenOf(grant, refreshToken, 'refresh'), expiresAt },
    ]
    await stores.mcpGrants.insertTokens(tokens)
    await stores.mcpGrants.update({ ...grant, expiresAt })
    await stores.mcpGrants.removeExpired(grant, now.toISOString())
    return { accessToken, refreshToken, scope: grant.scopes.join(' ') }
  }

  async function end(stores: Stores, { id, organizationId, clientName }: McpGrantRecord): Promise<void> {
    await stores.mcpGrants.remove({ organizationId }, id)
    const caller = systemCaller(organizationId)
    const details = { client: clientName, reason: 'A code or token was used twice.' }
    await recordChange(clock, { stores, caller }, { action: 'mcp_grant.end', type: 'McpGrant', id, details })
  }

  /**
   * Decides under the lock of the grant. An error is returned and not thrown, because the removal of the
   * grant must be committed.
   */
  async function decide(
    work: (stores: Stores) => Promise<Verdict<IssuedTokens>>,
    refusal: string,
  ): Promise<IssuedTokens> {
    const verdict = await database.transaction(work)
    if (!verdict.ok) throw new OAuthRefusal('invalid_grant', refusal)
    return verdict.value
  }

  const isOver = (moment: string) => Date.parse(moment) <= clock.now().getTime()

  return {
    exchange({ code, codeVerifier, clientId, redirectUri, resource: wanted }: CodeExchange) {
      requireResource(resource(), wanted)
      return decide(async (stores) => {
        const grant = await stores.mcpGrants.findByCodeLocked(hashToken(code))
        if (grant === null) return { ok: false }
        if (grant.codeUsedAt !== null) {
          await end(stores, grant)
          return { ok: false }
        }
        const isRight =
          !isOver(grant.codeExpiresAt) &&
          grant.clientHash === hashToken(clientId) &&
          grant.redirectUri === redirectUri &&
          grant.codeChallenge === challengeOf(codeVerifier)
        if (!isRight) return { ok: false }
        const used = { ...grant, codeUsedAt: clock.now().toISOString() }
        return { ok: true, value: await issue(stores, used) }
      }, 'The authorization code is unknown, expired or already used, or does not match the client, redirect URI or code verifier.')
    },

    renew({ refreshToken, clientId, resource: wanted }: TokenRenewal) {
      requireResource(resource(), wanted)
      return decide(async (stores) => {
        const found = await stores.mcpGrants.findTokenLocked(hashToken(refreshToken))
        if (found === null || found.token.kind !== 'refresh') return { ok: false }
        const { token, grant } = found
        if (grant.clientHash !== hashToken(clientId) || isOver(token.expiresAt)) return { ok: false }
        if (token.usedAt !== null) {
          await end(stores, grant)
          return { ok: false }
        }
        await stores.mcpGrants.markTokenUsed(token.hash, clock.now().toISOString())
        return { ok: true, value: await issue(stores, grant) }
      }, 'The refresh token is unknown, expired or already used, or does not match the client.')
    },

    /** Removes the grant of an access or refresh token. Unknown tokens are treated as revoked already. */
    async revoke(token: string, clientId: string): Promise<void> {
      await database.transaction(async (stores) => {
        const found = await stores.mcpGrants.findTokenLocked(hashToken(token))
        if (found === null || found.grant.clientHash !== hashToken(clientId)) return
        const { id, organizationId, clientName } = found.grant
        await stores.mcpGrants.remove({ organizationId }, id)
        const details = { client: clientName, reason: 'The client revoked it.' }
        const scope = { stores, caller: systemCaller(organizationId) }
        await recordChange(clock, scope, { action: 'mcp_grant.delete', type: 'McpGrant', id, details })
      })
    },
  }
}

export type GrantTokens = ReturnType<typeof makeGrantTokens>

function tokenOf({ id: grantId }: McpGrantRecord, token: string, kind: McpTokenRecord['kind']) {
  return { hash: hashToken(token), grantId, kind, usedAt: null }
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
