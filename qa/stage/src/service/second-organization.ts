import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { scopes } from '@parley/contract/scope-list'
import { Client } from 'pg'
import type { Credentials } from './api.js'
import { makeCredentials } from './parley-service.js'

/** The database of a running service. */
export type DataLocation =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly url: string }

/**
 * Adds an organization with a key that has all scopes. The API has no call for this, because operators do
 * it.
 */
export function addOrganization(location: DataLocation): Promise<Credentials> {
  return location.kind === 'embedded' ? askService(location.dataDir) : insert(location.url)
}

const command = fileURLToPath(new URL('../../../../apps/server/bin/parley.mjs', import.meta.url))

/** Only the service can open the embedded database, so the operator's command asks the service. */
async function askService(dataDir: string): Promise<Credentials> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [command, 'org', 'create', '--name', 'Another organization', '--json'],
    // `DATABASE_URL` is set because the command also reads `.env`, and that file may name a database.
    { env: { PATH: process.env.PATH, PARLEY_DATA_DIR: dataDir, DATABASE_URL: '' } },
  )
  const { organizationId, key } = JSON.parse(stdout) as { organizationId: string; key: string }
  return { organizationId, apiKey: key }
}

/**
 * Inserts rows directly, because the service may not be reachable by the operator's command.
 */
async function insert(url: string): Promise<Credentials> {
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
