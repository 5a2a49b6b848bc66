import type { AuditLogHead } from '@parley/contract'
import type { Client } from 'pg'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase } from '#server/adapters/database/database.js'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import { makeChainKeys } from '#server/adapters/system/chain-keys.js'
import { systemClock } from '#server/adapters/system/clock.js'
import { moveHead } from '#server/domain/audit/chain-head.js'
import type { ChainHead } from '#server/ports/audit-store.js'
import type { Database } from '#server/ports/database.js'
import {
  callerOf,
  patiently,
  seal,
  someChanges,
  verify,
  verifyChain,
  wholeChain,
  writeRecords,
} from '../../support/audit/audit-fixture.js'
import { chainSecrets, testSigning } from '../../support/audit/chain-secrets.js'
import { makeBare, makeUnsigned, rechain } from '../../support/audit/forger.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { addOrganization } from '../../support/organizations.js'
import { bootstrap, slow } from '../../support/process/parley-process.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, startService } from '../../support/start-service.js'

let postgres: PostgresDatabase
let database: Database

beforeAll(async () => {
  postgres = await migratedDatabase()
  const pool = openPostgres(postgres.url, () => undefined)
  database = makeDatabase(pool, { close: () => pool.end(), signing: testSigning })
})

afterAll(async () => {
  await database.close()
  await postgres.drop()
})

const currentKeyId = () => chainSecrets.chainKeys.current().id

const withClient = <Result>(work: (client: Client) => Promise<Result>) =>
  withPostgresClient(postgres.url, work)

async function sealedChain(count = 6): Promise<string> {
  const organizationId = uuid()
  await writeRecords(database, callerOf(organizationId), someChanges(count))
  await seal(database)
  return organizationId
}

const headOf = async (organizationId: string): Promise<ChainHead> => {
  const head = await database.stores.audit.findHead(organizationId)
  if (head === null) throw new Error('The organization has no chain head.')
  return head
}

/** Removes the records after the fourth and moves the head there. */
async function removeAfterFourth(client: Client, organizationId: string): Promise<void> {
  await client.query('delete from audit_record where organization_id = $1 and sequence > 4', [organizationId])
  await client.query(
    `update audit_chain set sequence = 4, hash = (select hash from audit_record
       where organization_id = $1 and sequence = 4) where organization_id = $1`,
    [organizationId],
  )
}

type Forgery = (client: Client, organizationId: string) => Promise<unknown>

const forgeries: readonly (readonly [what: string, brokenSequence: number, Forgery])[] = [
  ['rebuilt from the third record without a key', 3, (client, id) => rechain(client, id, 3, null)],
  [
    'rebuilt from the third record with a foreign key, including the head',
    3,
    async (client, id) => {
      const chainKeys = makeChainKeys('the secret of another installation')
      const last = await rechain(client, id, 3, chainKeys.current())
      const extent = { ...(await headOf(id)), ...last, organizationId: id }
      await moveHead({ clock: systemClock, chainKeys }, database.stores.audit, extent)
    },
  ],
  ['disguised as a chain from before keys', 1, (client, id) => makeBare(client, id, { bareThrough: 6 })],
  ['truncated, with its head moved back', 4, removeAfterFourth],
  [
    'truncated at its start, as if retention had removed it',
    6,
    async (client, id) => {
      await client.query(
        `update audit_chain set removed_through = 2, removed_hash = (select hash from audit_record
           where organization_id = $1 and sequence = 2) where organization_id = $1`,
        [id],
      )
      await client.query('delete from audit_record where organization_id = $1 and sequence < 3', [id])
    },
  ],
]

describe('an attacker who can write every row and does not know the secret', () => {
  test.each(forgeries)(
    'cannot hide a chain that was %s: verify reports record %i, and the sealer stops [AUD-7]',
    async (_, brokenSequence, forge) => {
      const organizationId = await sealedChain()
      await withClient((client) => forge(client, organizationId))
      expect(await verifyChain(database, organizationId)).toMatchObject({ valid: false, brokenSequence })
      await writeRecords(database, callerOf(organizationId), someChanges(1))
      await expect(seal(database)).rejects.toThrow('could not be sealed')
      expect(await verifyChain(database, organizationId)).toMatchObject({ valid: false, brokenSequence })
      // Lets the chain of the next test be sealed.
      await withClient((client) =>
        client.query('delete from audit_record where organization_id = $1', [organizationId]),
      )
    },
  )
})

describe('a chain head stored outside the service', () => {
  test('reveals a truncated chain with a restored head, and a chain that was started again [AUD-8]', async () => {
    const organizationId = await sealedChain(4)
    const old = await headOf(organizationId)
    await writeRecords(database, callerOf(organizationId), someChanges(2))
    await seal(database)
    const held = await headOf(organizationId)
    expect(await verifyChain(database, organizationId, held)).toEqual({
      ...wholeChain(6),
      heldHead: 'contained',
    })
    await withClient((client) => removeAfterFourth(client, organizationId))
    await database.stores.audit.replaceHead(organizationId, old)
    expect(await verifyChain(database, organizationId)).toEqual(wholeChain(4))
    expect(await verifyChain(database, organizationId, old)).toMatchObject({ valid: true })
    const cut = { valid: false, brokenSequence: 5, heldHead: 'missing' }
    expect(await verifyChain(database, organizationId, held)).toMatchObject(cut)

    await withClient(async (client) => {
      await client.query('delete from audit_record where organization_id = $1', [organizationId])
      await client.query('delete from audit_chain where organization_id = $1', [organizationId])
    })
    expect(await verifyChain(database, organizationId)).toMatchObject({ valid: false, brokenSequence: 1 })
    // The fixture starts a new chain with the secret.
    await writeRecords(database, callerOf(organizationId), someChanges(7))
    await seal(database)
    expect(await verifyChain(database, organizationId)).toMatchObject({ valid: true })
    const other = { valid: false, brokenSequence: 6, heldHead: 'missing' }
    expect(await verifyChain(database, organizationId, held)).toMatchObject(other)
  })

  test('can be read and checked over HTTP within its organization [AUD-8]', async () => {
    const running = await startService({ env: { DATABASE_URL: postgres.url } })
    const organization = await addOrganization(running)
    const client = running.client.as(organization)
    const readHead = async () => (await client.call<AuditLogHead>('GET', '/api/v1/AuditLog/head')).body
    expect(await readHead()).toEqual({
      organizationId: organization.organizationId,
      ...{ sequence: 0, hash: null, sealedAt: expect.any(String), keyId: currentKeyId() },
      ...{ seal: expect.any(String), bareThrough: 0, removedThrough: 0, removedHash: null, changeover: null },
    })
    // A head from before the first seal covers nothing. It is still valid.
    expect(await verify(client, '?Sequence=0&Hash=')).toMatchObject({ valid: true, heldHead: 'contained' })
    await client.call('POST', '/api/v1/Task', { body: { title: 'One' } })
    await expect.poll(readHead, patiently).toMatchObject({ sequence: 1, keyId: currentKeyId() })
    const head = await readHead()
    const asked = (hash: string | null) => `?Sequence=${head.sequence}&Hash=${hash}`
    expect(await verify(client, asked(head.hash))).toMatchObject({ valid: true, heldHead: 'contained' })
    expect(await verify(client, asked('0'.repeat(64)))).toMatchObject({ valid: false, heldHead: 'missing' })
    expectProblem(await client.call('GET', '/api/v1/AuditLog/verify?Sequence=1'), 'InvalidRequest')
    expectProblem(await client.call('GET', '/api/v1/AuditLog/verify?Sequence=1&Hash=x'), 'InvalidRequest')
    const none = `/api/v1/AuditLog/verify?Sequence=0&Hash=${head.hash}`
    expectProblem(await client.call('GET', none), 'InvalidRequest')
    const other = running.client.as(await addOrganization(running))
    expect(await verify(other, asked(head.hash))).toMatchObject({ valid: false, heldHead: 'missing' })
    await running.close()
  })
})

describe('records from before keys', slow, () => {
  test('records from before keys stay verifiable up to a recorded position that is set once [AUD-9]', async () => {
    const env = { DATABASE_URL: (await migratedDatabase()).url, ...bootstrap }
    const start = () => startService({ env })
    const first = await start()
    await expect.poll(() => verify(first.client), patiently).toMatchObject({ valid: true, unsealedCount: 0 })
    const { checkedCount } = await verify(first.client)
    await first.close()
    const beforeKeys = chainSecrets.cipher.seal('parley', 'installation/secretCheck')
    const setBack = (secretCheck: string | null) =>
      withPostgresClient(env.DATABASE_URL, async (client) => {
        await makeBare(client, first.organizationId, { bareThrough: 0 })
        if (secretCheck === null) return
        await client.query('update installation set secret_check = $1', [secretCheck])
        await makeUnsigned(client, first.organizationId, {
          unsignedThrough: checkedCount,
          unsignedUntil: new Date().toISOString(),
        })
      })

    await setBack(beforeKeys)
    const second = await start()
    await second.client.call('POST', '/api/v1/Task', { body: { title: 'With a key' } })
    await expect
      .poll(() => verify(second.client), patiently)
      .toMatchObject({ valid: true, unsealedCount: 0, bareThrough: checkedCount })
    const { body } = await second.client.call('GET', '/api/v1/AuditLog?Action=audit.key')
    const [record] = (body as { items: readonly { details: object }[] }).items
    expect(record?.details).toMatchObject({ bareThrough: checkedCount, keyId: currentKeyId() })
    await second.close()

    // An attacker without the secret rebuilds the chain as if it never had a key. No start accepts it as
    // old.
    await setBack(null)
    const third = await start()
    expect(await verify(third.client)).toMatchObject({ valid: false, brokenSequence: 1, bareThrough: 0 })
    await third.close()
  })
})
