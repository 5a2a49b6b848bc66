import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { scopes } from '@parley/contract'
import { Client } from 'pg'
import type { Credentials } from './api.js'
import { makeCredentials } from './parley-service.js'

/** Where a service keeps its data, while it does not run or where others may write too. */
export type DataPlace =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** Adds an organization with a key that may do everything. There is no call for that: operators have one organization. */
export async function addOrganization(place: DataPlace): Promise<Credentials> {
  const credentials = makeCredentials()
  const { organizationId, apiKey } = credentials
  const [, prefix] = apiKey.split('_', 2)
  const hash = createHash('sha256').update(apiKey).digest('hex')
  const statements: readonly Statement[] = [
    [
      'insert into organization (id, name, created_at) values ($1, $2, now())',
      [organizationId, 'Another organization'],
    ],
    [
      `insert into api_key (id, organization_id, version, created_at, updated_at, name, prefix, hash, scopes)
       values ($1, $2, 1, now(), now(), 'First key', $3, $4, $5)`,
      [randomUUID(), organizationId, prefix, hash, JSON.stringify(scopes)],
    ],
  ]
  await run(place, statements)
  return credentials
}

type Statement = readonly [text: string, values: unknown[]]

async function run(place: DataPlace, statements: readonly Statement[]): Promise<void> {
  if (place.kind === 'embedded') {
    const database = await PGlite.create({ dataDir: join(place.dataDir, 'database') })
    for (const [text, values] of statements) await database.query(text, values)
    await database.close()
    return
  }
  const client = new Client({ connectionString: place.url })
  await client.connect()
  for (const [text, values] of statements) await client.query(text, values)
  await client.end()
}
