import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { DataLocation } from '@parley/stage/service/second-organization'
import { Client } from 'pg'

export type Query = (text: string, values?: unknown[]) => Promise<readonly Record<string, unknown>[]>

const batchSize = 5000

/** Runs `work` on the database. The embedded database can be opened only while the service does not run. */
export async function atDatabase<Result>(
  location: DataLocation,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  if (location.kind === 'embedded') {
    const database = await PGlite.create({ dataDir: join(location.dataDir, 'database') })
    const result = await work(
      async (text, values = []) => (await database.query<Record<string, unknown>>(text, values)).rows,
    )
    await database.close()
    return result
  }
  const client = new Client({ connectionString: location.url })
  await client.connect()
  const result = await work(async (text, values = []) => (await client.query(text, values)).rows)
  await client.end()
  return result
}

/**
 * Inserts audit records in the service's format, for the service to seal. A million API calls would take
 * half an hour.
 */
export async function addRecords(
  query: Query,
  {
    organizationId,
    secret,
    count,
  }: { readonly organizationId: string; readonly secret: string; readonly count: number },
): Promise<void> {
  const sign = signer(secret)
  const startedAt = Date.now()
  for (let first = 0; first < count; first += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - first) }, (_, index) =>
      sign(recordRow(organizationId, startedAt, first + index)),
    )
    await query(
      `insert into audit_record (id, organization_id, at, actor_type, actor_id, actor_name, action, resource_type,
         resource_id, outcome, ip_address, request_id, details, canonical, signature)
       select id, organization_id, at, 'api_key', actor_id, actor_name, action, 'Agent', resource_id, 'success',
         ip_address, request_id, details, canonical, signature
       from json_to_recordset($1::json) as row(id uuid, organization_id uuid, at timestamptz, actor_id text,
         actor_name text, action text, resource_id text, ip_address text, request_id text, details json,
         canonical text, signature text)`,
      [JSON.stringify(rows)],
    )
  }
}

/** Returns a function that signs rows with a service's secret. */
function signer(secret: string) {
  const chainKey = Buffer.from(hkdfSync('sha256', secret, 'parley', 'audit chain', 32))
  const keyId = createHash('sha256').update(chainKey).digest('hex').slice(0, 16)
  const key = createHmac('sha256', chainKey).update('audit signature').digest()
  return (row: ReturnType<typeof recordRow>) => {
    const text = `${row.organization_id}\n${row.id}\n${row.canonical}`
    return { ...row, signature: `${keyId}.${createHmac('sha256', key).update(text).digest('hex')}` }
  }
}

/** Returns a row. There are ten per millisecond, with ordered ids, as on a busy service. */
function recordRow(organizationId: string, startedAt: number, index: number) {
  const milliseconds = startedAt + Math.floor(index / 10)
  const id = idAt(milliseconds, index)
  const at = new Date(milliseconds).toISOString()
  const actor = { id: idAt(startedAt, 1), name: 'Booking system, production', type: 'api_key' }
  const [ipAddress, requestId, resourceId] = [
    '203.0.113.7',
    idAt(milliseconds, index + 1),
    idAt(startedAt, 2),
  ]
  const details = { fields: ['systemMessage', 'tools'], name: `Front desk ${index}`, version: index }
  // The keys are sorted, because the service hashes this text.
  const canonical = JSON.stringify({
    action: 'agent.update',
    actor,
    at,
    details,
    id,
    ipAddress,
    organizationId,
    outcome: 'success',
    requestId,
    resourceId,
    resourceType: 'Agent',
  })
  return {
    id,
    organization_id: organizationId,
    at,
    actor_id: actor.id,
    actor_name: actor.name,
    action: 'agent.update',
    resource_id: resourceId,
    ip_address: ipAddress,
    request_id: requestId,
    details,
    canonical,
  }
}

/** Returns a UUID of version 7. */
function idAt(milliseconds: number, index: number): string {
  const time = milliseconds.toString(16).padStart(12, '0')
  const digits = (index % 4096).toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits}-8000-${index.toString(16).padStart(12, '0')}`
}
