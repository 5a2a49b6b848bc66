import type { McpAuthorizationRecord } from '../../ports/agent-stores.js'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { McpOAuth } from '../../ports/oauth.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock, Timers } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import { systemCaller } from '../caller-scope.js'
import { throughOutages } from '../durability/ordered-writes.js'
import { expiryOf } from './mcp-consent.js'
import { explainUnsendable, type McpGrant, openGrant, sealGrant } from './sealed-tokens.js'

/** A token that expires within this time is renewed before use. */
const earlyMilliseconds = 60_000
/**
 * Longer than the timeout for the authorization server. After this time, other instances take over the claim
 * of an instance that crashed.
 */
const claimMilliseconds = 30_000
/** How long an outcome is retried while the database is unavailable. */
const settleMilliseconds = 5 * 60_000
const patienceMilliseconds = 15_000
const pollMilliseconds = 200

export interface McpTokensDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly cipher: Cipher
  readonly log: Log
  readonly oauth: McpOAuth
}

export interface TokenTarget {
  readonly organizationId: string
  readonly serverUrl: string
}

/**
 * A token, or the reason why it could not be renewed. Null if the organization has no authorization for this
 * server.
 */
export type McpToken =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly detail: string }

export interface McpTokens {
  /** Returns the current token, renewed if it is about to expire. */
  current(target: TokenTarget): Promise<McpToken | null>
  /** Returns a new token after the server has rejected `refused`. */
  renewed(target: TokenTarget, refused: string): Promise<McpToken>
}

/**
 * Provides tokens for agents' calls. One instance at a time renews a token: it claims the row, and the others
 * wait for the result. This is necessary because an authorization server that rotates refresh tokens treats a
 * second use of one as theft.
 */
export function makeMcpTokens(dependencies: McpTokensDependencies): McpTokens {
  const { database, clock, timers, cipher, log, oauth } = dependencies
  const storesOf = (organizationId: string) => database.ownedBy({ organizationId, kind: 'log' })

  async function find({ organizationId, serverUrl }: TokenTarget): Promise<FoundGrant | null> {
    const { stores } = storesOf(organizationId)
    const record = await stores.mcpAuthorizations.findByServer(organizationId, serverUrl)
    const grant = record === null || record.state === 'new' ? null : openGrant(cipher, record)
    return record === null || grant === null ? null : { record, grant }
  }

  const hasExpired = ({ expiresAt }: McpAuthorizationRecord, early: number) =>
    expiresAt !== null && Date.parse(expiresAt) - early <= clock.now().getTime()

  async function renewed(target: TokenTarget, refused: string): Promise<McpToken> {
    const deadline = timers.monotonic() + patienceMilliseconds
    do {
      const found = await find(target)
      if (found === null) return gone
      const { record, grant } = found
      if (grant.accessToken !== refused) return { ok: true, token: grant.accessToken }
      if (record.state === 'expired' || grant.refreshToken === null) return consentNeeded(record)
      if (await claim(record)) return renewClaimed(record, refused)
      await timers.sleep(pollMilliseconds)
    } while (timers.monotonic() < deadline)
    return { ok: false, detail: 'The token of the MCP server could not be renewed in time.' }
  }

  function claim({ organizationId, id }: McpAuthorizationRecord): Promise<boolean> {
    const now = clock.now()
    const until = new Date(now.getTime() + claimMilliseconds).toISOString()
    return storesOf(organizationId).stores.mcpAuthorizations.claimRenewal(id, now.toISOString(), until)
  }

  /** Renews the token under the claim, and releases the claim in any case. */
  async function renewClaimed(claimed: McpAuthorizationRecord, refused: string): Promise<McpToken> {
    let settlement = unchanged
    try {
      const renewal = await renew(claimed, refused)
      settlement = renewal.settlement
      return renewal.token
    } finally {
      await settle(claimed, settlement)
    }
  }

  async function renew({ organizationId, id }: McpAuthorizationRecord, refused: string): Promise<Renewal> {
    // The record is read again under the claim, because the previous claimant may have just renewed the
    // token.
    const record = await storesOf(organizationId).stores.mcpAuthorizations.find(organizationId, id)
    const grant = record === null ? null : openGrant(cipher, record)
    if (record === null || grant === null) return { token: gone, settlement: unchanged }
    if (grant.accessToken !== refused || grant.refreshToken === null)
      return { token: { ok: true, token: grant.accessToken }, settlement: unchanged }
    const used = grant.refreshToken
    const outcome = await oauth.renew(grant.memory, used)
    if (!outcome.ok) {
      log.warn({ mcpAuthorizationId: id, detail: outcome.detail }, 'a token could not be renewed')
      const failure = outcome.detail
      return outcome.isFinal
        ? {
            token: consentNeeded(record),
            settlement: { fields: { state: 'expired', failure }, used, next: null },
          }
        : { token: notRenewed(failure), settlement: { fields: { failure }, used, next: null } }
    }
    const { accessToken, refreshToken } = outcome.value
    const failure = explainUnsendable(accessToken)
    // The authorization server may have invalidated the used refresh token, so the new one is stored in any
    // case.
    const kept = { ...grant, refreshToken: refreshToken ?? used }
    if (failure !== null) {
      log.warn({ mcpAuthorizationId: id, detail: failure }, 'a token could not be renewed')
      return { token: notRenewed(failure), settlement: { fields: { failure }, used, next: kept } }
    }
    const fields = { state: 'authorized', expiresAt: expiryOf(clock.now(), outcome.value), failure } as const
    return {
      token: { ok: true, token: accessToken },
      settlement: { fields, used, next: { ...kept, accessToken } },
    }
  }

  /**
   * Writes the outcome of a renewal and releases the claim. Retries while the database is unavailable,
   * because the new tokens are stored nowhere else.
   */
  function settle(claimed: McpAuthorizationRecord, settlement: Settlement): Promise<void> {
    const { organizationId, id } = claimed
    const { fields, used, next } = settlement
    const patience = settlement === unchanged ? AbortSignal.abort() : AbortSignal.timeout(settleMilliseconds)
    return throughOutages({ database, timers }, patience, () =>
      storesOf(organizationId).transaction(async (stores) => {
        const current = await stores.mcpAuthorizations.findLocked(organizationId, id)
        if (current === null) return
        // A person may have consented again, or another instance may have taken over the claim and renewed
        // the token.
        const isOvertaken = openGrant(cipher, current)?.refreshToken !== used
        const outcome = isOvertaken
          ? {}
          : { ...fields, ...(next !== null && { sealedGrant: sealGrant(cipher, current, next) }) }
        await stores.mcpAuthorizations.update(
          { ...current, ...outcome, renewingUntil: null },
          current.version,
        )
        if (isOvertaken || fields.state !== 'expired') return
        const caller = systemCaller(organizationId)
        const details = { serverUrl: current.serverUrl, detail: fields.failure }
        await recordChange(
          clock,
          { stores, caller },
          { action: 'mcp_authorization.expire', type: 'McpAuthorization', id, details },
        )
      }),
    )
  }

  return {
    renewed,

    async current(target) {
      const found = await find(target)
      if (found === null) return null
      const { record, grant } = found
      if (!hasExpired(record, earlyMilliseconds)) return { ok: true, token: grant.accessToken }
      const outcome = await renewed(target, grant.accessToken)
      // After a failed renewal, the current token remains in use until it expires.
      return outcome.ok || hasExpired(record, 0) ? outcome : { ok: true, token: grant.accessToken }
    },
  }
}

interface FoundGrant {
  readonly record: McpAuthorizationRecord
  readonly grant: McpGrant
}

interface Renewal {
  readonly token: McpToken
  readonly settlement: Settlement
}

/** The outcome of a renewal, for the row. */
interface Settlement {
  readonly fields: Partial<Pick<McpAuthorizationRecord, 'state' | 'expiresAt' | 'failure'>>
  /** The refresh token that was sent. The outcome is discarded if the row contains another one by now. */
  readonly used: string | null
  /** The grant to store, or null if the authorization server returned none. */
  readonly next: McpGrant | null
}

const unchanged: Settlement = { fields: {}, used: null, next: null }

const gone: McpToken = { ok: false, detail: 'The authorization of the MCP server was deleted.' }

const notRenewed = (detail: string): McpToken => ({
  ok: false,
  detail: `The token of the MCP server could not be renewed. ${detail}`,
})

function consentNeeded({ serverUrl }: McpAuthorizationRecord): McpToken {
  return {
    ok: false,
    detail: `The authorization of ${serverUrl} has expired. Authorize it again in the console under MCP servers or with parley mcp authorize.`,
  }
}
