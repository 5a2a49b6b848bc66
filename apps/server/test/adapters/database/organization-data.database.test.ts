import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organizationTables } from '#server/adapters/database/organization-tables.js'
import { databaseKinds } from '../../support/start-service.js'
import { fillOrganization, referencesIn, tablesIn } from '../../support/stores/fill-organization.js'
import { openStoreDatabase, type StoreDatabase } from '../../support/stores/store-database.js'

/** These tables hold facts about the deployment, or accounts, which can belong to several organizations. */
const ofNoOrganization = new Set(['organization', 'person', 'person_identity', 'person_session'])

describe.each(databaseKinds)('the data of an organization on the %s database', (kind) => {
  let database: StoreDatabase

  beforeAll(async () => {
    database = await openStoreDatabase(kind)
  })
  afterAll(() => database.close())

  const contentsOf = async (table: string): Promise<readonly string[]> => {
    const { rows } = await database.pool.query<{ row: string }>(`select t::text as row from "${table}" t`)
    return rows.map(({ row }) => row).sort()
  }

  const contents = async (): Promise<Record<string, readonly string[]>> => {
    const found: Record<string, readonly string[]> = {}
    for (const table of await tablesIn(database.pool)) found[table] = await contentsOf(table)
    return found
  }

  test('is in exactly the tables that the list names [CLI-13] [CLI-14]', async () => {
    const { rows } = await database.pool.query<{ name: string }>(`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'organization_id'`)
    const holding = new Set(rows.map(({ name }) => name))
    // Every row that refers to a row of an organization belongs to the organization too.
    const references = await referencesIn(database.pool)
    for (let before = -1; before < holding.size; ) {
      before = holding.size
      for (const { table, target } of references) if (holding.has(target)) holding.add(table)
    }
    const listed = organizationTables.map(({ name }) => name)
    const expected = [...holding].filter((name) => !ofNoOrganization.has(name))
    expect(listed.filter((name) => !ofNoOrganization.has(name)).sort()).toEqual(expected.sort())
  })

  test('is deleted from every table together with the organization, and other data stays [CLI-14]', async () => {
    const kept = await fillOrganization(database.pool, 'kept-words')
    const before = await contents()
    const gone = await fillOrganization(database.pool, 'gone-words')
    // An account that the organization created for a former member, with its failed sign-in attempts.
    const former = await database.pool.query<{ id: string }>(
      `insert into person (id, created_at, updated_at, email, name, recovery_hashes, home_organization_id)
       values (gen_random_uuid(), now(), now(), 'gone-words', 'gone-words', '[]', $1) returning id`,
      [gone],
    )
    await database.pool.query(
      `insert into sign_in_tries (key, person_id, failures, wrong_codes, expires_at)
       values ('gone-words', $1, 1, 0, now())`,
      [former.rows[0]?.id],
    )
    const { organizationData } = database.stores
    await database.transaction((stores) => stores.organizationData.closeAccess(gone))
    await organizationData.stopWork(gone)
    const removed: string[] = []
    for (let some = await organizationData.removeSome(gone); some !== null; ) {
      removed.push(some.table)
      some = await organizationData.removeSome(gone)
    }
    await organizationData.removeOrganization(gone)
    expect(removed).toContain('message')
    expect(await organizationData.removeSome(gone)).toBeNull()
    const after = await contents()
    expect(
      Object.values(after)
        .flat()
        .filter((row) => row.includes('gone-words') || row.includes(gone)),
    ).toEqual([])
    expect(after).toEqual(before)
    expect(after.organization?.some((row) => row.includes(kept))).toBe(true)
  })

  test('is read page by page, without secrets [CLI-13]', async () => {
    const organizationId = await fillOrganization(database.pool, 'read-words')
    await database.pool.query(
      `insert into idempotency_key (organization_id, key, fingerprint, created_at)
       select $1, 'key ' || n, '', now() from generate_series(1, 1200) n`,
      [organizationId],
    )
    const { organizationData } = database.stores
    const counts: Record<string, number> = {}
    const texts: string[] = []
    let pages = 0
    for (const table of organizationData.exportedTables) {
      let after: readonly string[] | null = null
      do {
        const page = await organizationData.page(organizationId, table, after)
        counts[table] = (counts[table] ?? 0) + page.rows.length
        texts.push(JSON.stringify(page.rows))
        after = page.after
        pages += 1
      } while (after !== null)
    }
    expect(counts).toMatchObject({
      idempotency_key: 1201,
      message: 1,
      turn_event: 1,
      person: 1,
      audit_record: 1,
    })
    expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([])
    expect(pages).toBe(organizationData.exportedTables.length + 2)
    expect(texts.join()).toContain('read-words message content')
    expect(texts.join()).not.toMatch(
      /token_hash|password_hash|sealed_(?!at)|tool_secrets|"setup"|code_hash|fingerprint/,
    )
  })
})
