import type { Cipher } from '../../ports/cipher.js'
import type { Clock } from '../../ports/clock.js'
import type { Database } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { McpAuthorizationRecord } from '../../ports/mcp-authorization-store.js'
import type { McpOAuth } from '../../ports/mcp-oauth.js'
import type { Timers } from '../../ports/timers.js'
import { recordChange } from '../audit/record-change.js'
import { systemCaller } from '../system-caller.js'
import { expiryOf } from './mcp-consent.js'
import { type McpGrant, openGrant, sealGrant } from './mcp-grant.js'

/** A token that expires within this time is renewed before it is used. */
const earlyMilliseconds = 60_000
/** Longer than an issuer may take to answer; whoever died while renewing is given up after it. */
const claimMilliseconds = 30_000
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

/** Whose token for which server. */
export interface TokenPlace {
  readonly organizationId: string
  readonly serverUrl: string
}

/** A token to call a server with, or why there is none. `null`: nobody has authorized this server. */
export type McpToken =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly detail: string }

export interface McpTokens {
  /** The token as it is now, renewed where it is about to expire. */
  current(place: TokenPlace): Promise<McpToken | null>
  /** Another one than this, which the server has refused. */
  renewed(place: TokenPlace, refused: string): Promise<McpToken>
}

/**
 * Tokens for agents' calls. They are renewed by one instance at a time, which has a claim on the row; the others wait for
 * what it brings: issuers that give out each refresh token once would take a second one for a thief.
 */
export function makeMcpTokens(dependencies: McpTokensDependencies): McpTokens {
  const { database, clock, timers, cipher, log, oauth } = dependencies
  const storesOf = (organizationId: string) => database.ownedBy({ organizationId, kind: 'log' })

  async function find({ organizationId, serverUrl }: TokenPlace): Promise<FoundGrant | null> {
    const { stores } = storesOf(organizationId)
    const record = await stores.mcpAuthorizations.findByServer(organizationId, serverUrl)
    const grant = record === null || record.state === 'new' ? null : openGrant(cipher, record)
    return record === null || grant === null ? null : { record, grant }
  }

  const hasExpired = ({ expiresAt }: McpAuthorizationRecord, early: number) =>
    expiresAt !== null && Date.parse(expiresAt) - early <= clock.now().getTime()

  async function renewed(place: TokenPlace, refused: string): Promise<McpToken> {
    const deadline = timers.monotonic() + patienceMilliseconds
    do {
      const found = await find(place)
      if (found === null) return { ok: false, detail: 'The authorization of the MCP server is gone.' }
      const { record, grant } = found
      if (grant.accessToken !== refused) return { ok: true, token: grant.accessToken }
      if (record.state === 'expired' || grant.refreshToken === null) return consentNeeded(record)
      if (await claim(record)) return renewClaimed(place, refused)
      await timers.sleep(pollMilliseconds)
    } while (timers.monotonic() < deadline)
    return { ok: false, detail: 'The token of the MCP server could not be renewed in time.' }
  }

  function claim({ organizationId, id }: McpAuthorizationRecord): Promise<boolean> {
    const now = clock.now()
    const until = new Date(now.getTime() + claimMilliseconds).toISOString()
    return storesOf(organizationId).stores.mcpAuthorizations.claimRenewal(id, now.toISOString(), until)
  }

  async function renewClaimed(place: TokenPlace, refused: string): Promise<McpToken> {
    // As it is under the claim: whoever had it before may have just finished.
    const found = await find(place)
    if (found === null) return { ok: false, detail: 'The authorization of the MCP server is gone.' }
    const { record, grant } = found
    if (grant.accessToken !== refused || grant.refreshToken === null) {
      await settle(record, {})
      return { ok: true, token: grant.accessToken }
    }
    const outcome = await oauth.renew(grant.memory, grant.refreshToken)
    if (outcome.ok) {
      const { accessToken, refreshToken } = outcome.value
      const next = { ...grant, accessToken, refreshToken: refreshToken ?? grant.refreshToken }
      const expiresAt = expiryOf(clock.now(), outcome.value)
      await settle(record, { sealedGrant: sealGrant(cipher, record, next), expiresAt, failure: null })
      return { ok: true, token: accessToken }
    }
    log.warn({ mcpAuthorizationId: record.id, detail: outcome.detail }, 'a token was not renewed')
    if (!outcome.isFinal) {
      await settle(record, { failure: outcome.detail })
      return { ok: false, detail: `The token of the MCP server was not renewed. ${outcome.detail}` }
    }
    await settle(record, { state: 'expired', failure: outcome.detail })
    return consentNeeded(record)
  }

  /** Writes what came of a renewal and gives up the claim; that somebody has to consent again is worth a record. */
  function settle(record: McpAuthorizationRecord, fields: Partial<McpAuthorizationRecord>): Promise<void> {
    const { organizationId, id } = record
    return storesOf(organizationId).transaction(async (stores) => {
      const current = await stores.mcpAuthorizations.findLocked(organizationId, id)
      if (current === null) return
      const next = { ...current, ...fields, renewingUntil: null }
      await stores.mcpAuthorizations.update(next, current.version)
      if (fields.state !== 'expired') return
      const caller = systemCaller(organizationId)
      const details = { serverUrl: record.serverUrl, detail: fields.failure }
      await recordChange(
        clock,
        { stores, caller },
        { action: 'mcp_authorization.expire', type: 'McpAuthorization', id, details },
      )
    })
  }

  return {
    renewed,

    async current(place) {
      const found = await find(place)
      if (found === null) return null
      const { record, grant } = found
      if (!hasExpired(record, earlyMilliseconds)) return { ok: true, token: grant.accessToken }
      const outcome = await renewed(place, grant.accessToken)
      // One that works still is better than none.
      return outcome.ok || hasExpired(record, 0) ? outcome : { ok: true, token: grant.accessToken }
    },
  }
}

interface FoundGrant {
  readonly record: McpAuthorizationRecord
  readonly grant: McpGrant
}

function consentNeeded({ serverUrl }: McpAuthorizationRecord): McpToken {
  return {
    ok: false,
    detail: `The authorization of ${serverUrl} has expired. Somebody has to consent again: in the console under MCP servers, or with parley mcp authorize.`,
  }
}
