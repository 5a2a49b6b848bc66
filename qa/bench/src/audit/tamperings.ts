import { createHash } from 'node:crypto'
import type { Query } from './stored-records.js'

/*
 * Tampering by someone who can write every row of the database but does not have the secret, near the end of
 * a long chain.
 */

/** How many of the last records are saved before each tampering. */
const windowSize = 1000

export interface Tampering {
  readonly name: string
  readonly tamper: (query: Query, at: TamperingPosition) => Promise<unknown>
}

export interface TamperingPosition {
  readonly organizationId: string
  /** The sequence number of the record to tamper with. */
  readonly sequence: number
}

/** Runs `work` and restores the chain afterwards. */
export async function undoAfterwards(
  query: Query,
  organizationId: string,
  work: () => Promise<void>,
): Promise<void> {
  const [head] = await query('select sequence from audit_chain where organization_id = $1', [organizationId])
  const values = [organizationId, Number(head?.sequence) - windowSize]
  const isInWindow = 'organization_id = $1 and sequence > $2'
  await query(`create table saved_record as select * from audit_record where organization_id = '${organizationId}'
    and sequence > ${values[1]}`)
  await query(
    `create table saved_chain as select * from audit_chain where organization_id = '${organizationId}'`,
  )
  try {
    await work()
  } finally {
    await query(`delete from audit_record where ${isInWindow}`, values)
    await query('insert into audit_record select * from saved_record')
    await query('delete from audit_chain where organization_id = $1', [organizationId])
    await query('insert into audit_chain select * from saved_chain')
    await query('drop table saved_record, saved_chain')
  }
}

const at = (condition: string) => `where organization_id = $1 and sequence ${condition}`

export const tamperings: readonly Tampering[] = [
  {
    name: 'record changed',
    tamper: (query, { organizationId, sequence }) =>
      query(`update audit_record set resource_id = 'another' ${at('= $2')}`, [organizationId, sequence]),
  },
  {
    name: 'record deleted',
    tamper: (query, { organizationId, sequence }) =>
      query(`delete from audit_record ${at('= $2')}`, [organizationId, sequence]),
  },
  { name: 'record inserted', tamper: insert },
  { name: 'chain rehashed including the head', tamper: rechain },
  {
    name: 'chain truncated and head moved back',
    tamper: async (query, { organizationId, sequence }) => {
      const values = [organizationId, sequence]
      await query(`delete from audit_record ${at('> $2')}`, values)
      await query(
        `update audit_chain set sequence = $2, hash = (select hash from audit_record ${at('= $2')})
         where organization_id = $1`,
        values,
      )
    },
  },
]

/** Moves the following records by one, and inserts a copy of the previous record into the gap. */
async function insert(query: Query, { organizationId, sequence }: TamperingPosition): Promise<void> {
  const values = [organizationId, sequence]
  // The update takes two steps, because sequence numbers are unique.
  await query(`update audit_record set sequence = -sequence - 1 ${at('>= $2')}`, values)
  await query(`update audit_record set sequence = -sequence ${at('< 0')}`, [organizationId])
  await query(
    `insert into audit_record (id, organization_id, at, actor_type, action, outcome, details, canonical, sequence,
       hash, key_id, signature, sealed_at, seal_proof)
     select gen_random_uuid(), organization_id, at, actor_type, action, outcome, details, canonical, $2::bigint,
       hash, key_id, signature, sealed_at, seal_proof
     from audit_record ${at('= $2::bigint - 1')}`,
    values,
  )
  await query('update audit_chain set sequence = sequence + 1 where organization_id = $1', [organizationId])
}

/** Alters a record, and recomputes its hash and all that follow without the key. */
async function rechain(query: Query, { organizationId, sequence }: TamperingPosition): Promise<void> {
  await query(
    `update audit_record set action = 'agent.create', canonical = replace(canonical, 'agent.update', 'agent.create')
     ${at('= $2')}`,
    [organizationId, sequence],
  )
  const rows = await query(
    `select sequence, hash, canonical from audit_record ${at('>= $2')} order by sequence`,
    [organizationId, sequence - 1],
  )
  let hash = String(rows[0]?.hash)
  for (const row of rows.slice(1)) {
    hash = createHash('sha256').update(`${hash}\n${row.canonical}`).digest('hex')
    await query(`update audit_record set hash = $3 ${at('= $2')}`, [organizationId, row.sequence, hash])
  }
  await query('update audit_chain set hash = $2 where organization_id = $1', [organizationId, hash])
}
