import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { scopes } from '@parley/contract'
import { Client } from 'pg'
import type { Credentials } from './api.js'
import { makeCredentials } from './parley-service.js'

/** Where a service keeps its data, while it does not run or where others may write too. */
export type DataPlace =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly url: string }

const operatorsCommand = fileURLToPath(new URL('../../../server/bin/parley.mjs', import.meta.url))

/** Adds an organization with a key that may do everything, to a service that runs. */
export function addOrganization(place: DataPlace): Promise<Credentials> {
  return place.kind === 'embedded' ? askService(place.dataDir) : insertRows(place.url)
}

/** Nobody but the service can write to its embedded database: it is told to. */
async function askService(dataDir: string): Promise<Credentials> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [operatorsCommand, 'org', 'create', '--name', 'Another organization', '--json'],
    { env: { PATH: process.env.PATH, PARLEY_DATA_DIR: dataDir } },
  )
  const made = JSON.parse(stdout) as { readonly organizationId: string; readonly key: string }
  return { organizationId: made.organizationId, apiKey: made.key }
}

async function insertRows(url: string): Promise<Credentials> {
  const credentials = makeCredentials()
  const { organizationId, apiKey } = credentials
  const [, prefix] = apiKey.split('_', 2)
  const hash = createHash('sha256').update(apiKey).digest('hex')
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('insert into organization (id, name, created_at) values ($1, $2, now())', [
    organizationId,
    'Another organization',
  ])
  await client.query(
    `insert into api_key (id, organization_id, version, created_at, updated_at, name, prefix, hash, scopes)
     values ($1, $2, 1, now(), now(), 'First key', $3, $4, $5)`,
    [randomUUID(), organizationId, prefix, hash, JSON.stringify(scopes)],
  )
  await client.end()
  return credentials
}
