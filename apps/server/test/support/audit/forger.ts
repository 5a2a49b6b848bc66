import type { Client } from 'pg'
import { hashAfter } from '#server/domain/audit/chain-hash.js'
import type { ChainPosition } from '#server/ports/audit-store.js'
import type { ChainKey } from '#server/ports/secrets.js'
import { testSigning } from './chain-secrets.js'

/* An attacker who can write every row of the database but does not have the secret. */

/**
 * Changes a record and builds the chain again from there on, with the attacker's key or without one. Returns
 * the new last position.
 */
export async function rechain(
  client: Client,
  organizationId: string,
  from: number,
  key: ChainKey | null,
): Promise<ChainPosition> {
  await client.query(
    `update audit_record set action = 'agent.create', canonical = replace(canonical, 'agent.update', 'agent.create')
     where organization_id = $1 and sequence = $2`,
    [organizationId, from],
  )
  return rehash(client, organizationId, from, key)
}

async function rehash(
  client: Client,
  organizationId: string,
  from: number,
  key: ChainKey | null,
): Promise<ChainPosition> {
  const { rows } = await client.query<{ sequence: number; hash: string; canonical: string }>(
    `select sequence::int, hash, canonical from audit_record
     where organization_id = $1 and sequence >= $2 order by sequence`,
    [organizationId, from - 1],
  )
  let last: ChainPosition = from === 1 ? { sequence: 0, hash: '' } : (rows[0] as ChainPosition)
  for (const { sequence, canonical } of rows.filter((row) => row.sequence >= from)) {
    last = { sequence, hash: hashAfter(key, last.hash, canonical) }
    await client.query(
      `update audit_record set hash = $3, key_id = coalesce($4, key_id)
       where organization_id = $1 and sequence = $2`,
      [organizationId, sequence, last.hash, key?.id ?? null],
    )
  }
  if (key === null)
    await client.query('update audit_chain set hash = $2 where organization_id = $1', [
      organizationId,
      last.hash,
    ])
  return last
}

/** Turns the chain into the one that it would have been before keys existed. */
export async function makeBare(
  client: Client,
  organizationId: string,
  { bareThrough }: { readonly bareThrough: number },
): Promise<void> {
  const constraint = 'audit_record_sealed_with_key'
  await client.query(`alter table audit_record drop constraint ${constraint},
    drop constraint audit_record_sealed_with_time`)
  await rehash(client, organizationId, 1, null)
  await client.query(
    `update audit_record set key_id = null, signature = null, sealed_at = null, seal_proof = null
     where organization_id = $1`,
    [organizationId],
  )
  await client.query(
    `alter table audit_record add constraint ${constraint} check (sequence is null or key_id is not null) not valid,
     add constraint audit_record_sealed_with_time check (sequence is null or sealed_at is not null) not valid`,
  )
  await client.query(
    `update audit_chain set key_id = null, seal = null, sealed_at = null, bare_through = $2
     where organization_id = $1`,
    [organizationId, bareThrough],
  )
}

/** Makes the statement of the upgrade to signatures, which requires the secret. */
export async function makeUnsigned(
  client: Client,
  organizationId: string,
  allowed: { readonly unsignedThrough: number; readonly unsignedUntil: string },
): Promise<void> {
  const statement = testSigning.sealChangeover({ organizationId, ...allowed })
  await client.query(
    `insert into audit_changeover (organization_id, unsigned_through, unsigned_until, key_id, seal)
     values ($1, $2, $3, $4, $5)`,
    [organizationId, statement.unsignedThrough, statement.unsignedUntil, statement.keyId, statement.seal],
  )
}
