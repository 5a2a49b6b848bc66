import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AuditLogRecord, Page, Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ApiClient, Credentials } from '../../support/api-client.js'
import { callerOf, patiently, someChanges, verify, writeRecords } from '../../support/audit/audit-fixture.js'
import { parseCsv } from '../../support/audit/csv.js'
import { addOrganization } from '../../support/organizations.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

/** An export reads a hundred records at a time. */
const recordCount = 403
/** Long enough to fill every buffer between the service and a client that does not read. */
const padding = 'x'.repeat(36_000)

let postgres: PostgresDatabase
let running: RunningService
let organization: Credentials
/** An organization with long records. */
let withLongRecords: Credentials
let client: ApiClient
/** All records from the list, oldest first. */
let everything: AuditLogRecord[]

beforeAll(async () => {
  postgres = await migratedDatabase()
  running = await startService({ env: { DATABASE_URL: postgres.url } })
  organization = await addOrganization(running)
  client = running.client.as(organization)
  const { database } = running.service
  await writeRecords(database, callerOf(organization.organizationId), someChanges(recordCount))
  withLongRecords = await addOrganization(running)
  const longChanges = someChanges(recordCount, { padding })
  await writeRecords(database, callerOf(withLongRecords.organizationId), longChanges)
  await writeRecords(database, callerOf(running.organizationId), someChanges(3))
  await client.call('POST', '/api/v1/Task', { body: { title: 'Last' } })
  const count = recordCount + 1
  await vi.waitFor(async () => expect((await verify(client)).checkedCount).toBe(count), patiently)
  const sealed = async () => (await verify(client.as(withLongRecords))).checkedCount
  await vi.waitFor(async () => expect(await sealed()).toBe(recordCount), patiently)
  everything = await listed(client)
})

afterAll(async () => {
  await running.close()
  await postgres.drop()
})

const headersOf = ({ apiKey, organizationId }: Credentials) => ({
  'x-api-key': apiKey,
  'x-org-id': organizationId,
})

async function download(query: string, by: Credentials = organization) {
  const response = await fetch(`${running.url}/api/v1/AuditLog/export?${query}`, { headers: headersOf(by) })
  return { headers: response.headers, text: await response.text() }
}

async function exported(query: string, by: Credentials = organization): Promise<AuditLogRecord[]> {
  return recordsIn((await download(query, by)).text)
}

function recordsIn(lines: string): AuditLogRecord[] {
  expect(lines.endsWith('\n')).toBe(true)
  return lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditLogRecord)
}

async function listed(by: ApiClient): Promise<AuditLogRecord[]> {
  const records: AuditLogRecord[] = []
  for (;;) {
    const path = `/api/v1/AuditLog?Limit=200&Offset=${records.length}`
    const { body } = await by.call<Page<AuditLogRecord>>('GET', path)
    records.push(...body.items)
    if (records.length === body.totalCount) return records.reverse()
  }
}

/** Requests an export and does not read the response. */
async function openExport(format: string): Promise<IncomingMessage> {
  const options = { headers: headersOf(withLongRecords), agent: false }
  const request = get(`${running.url}/api/v1/AuditLog/export?Format=${format}`, options)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => undefined)
  return response
}

const formats = ['ndjson', 'csv'] as const

describe('the export', () => {
  test('contains every record over many pages as ndjson, oldest first [AUD-6]', async () => {
    const response = await download('Format=ndjson')
    expect(response.headers.get('content-type')).toContain('application/x-ndjson')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit-log.ndjson"')
    const records = recordsIn(response.text)
    expect(records.map((record) => record.sequence)).toEqual(
      Array.from({ length: recordCount + 1 }, (_, index) => index + 1),
    )
    expect(records).toEqual(everything)
    expect(await exported('')).toEqual(records)
  })

  test('contains the same records as csv, cell for cell [AUD-6]', async () => {
    const response = await download('Format=csv')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"')
    const rows = parseCsv(response.text)
    const expected = everything.map((record) => ({
      id: record.id,
      at: record.at,
      actorType: record.actor.type,
      actorId: record.actor.id ?? '',
      actorName: record.actor.name ?? '',
      action: record.action,
      resourceType: record.resourceType ?? '',
      resourceId: record.resourceId ?? '',
      outcome: record.outcome,
      ipAddress: record.ipAddress ?? '',
      requestId: record.requestId ?? '',
      details: JSON.stringify(record.details),
      sequence: String(record.sequence),
      hash: record.hash,
      keyId: record.keyId,
      signature: record.signature,
      sealedAt: record.sealedAt,
      sealProof: record.sealProof,
    }))
    expect(rows).toEqual(expected)
  })

  test('accepts the filters of the list [AUD-6]', async () => {
    const [last, ...others] = await exported('Action=task.create&ResourceType=Task')
    expect([last?.action, others]).toEqual(['task.create', []])
    expect(await exported(`ActorId=${encodeURIComponent('id of Test')}`)).toHaveLength(recordCount)
    const moment = encodeURIComponent(last?.at ?? '')
    expect(await exported(`From=${moment}&Action=task.create`)).toEqual([last])
    expect((await download('To=2000-01-01T00:00:00Z')).text).toBe('')
  })

  test("contains only records of the caller's organization [AUD-6]", async () => {
    const own = await exported('ResourceType=Agent', running)
    expect(own.map((record) => record.resourceId)).toEqual(expect.arrayContaining(['1', '2', '3']))
    const foreign = new Set(everything.map((record) => record.id))
    expect(own.filter((record) => foreign.has(record.id))).toEqual([])
  })

  test('is empty or a header if there are no records [AUD-6]', async () => {
    const empty = await addOrganization(running)
    expect((await download('Format=ndjson', empty)).text).toBe('')
    const csv = await download('Format=csv', empty)
    expect(csv.text.trim()).toBe(
      'id,at,actorType,actorId,actorName,action,resourceType,resourceId,outcome,ipAddress,requestId,details,sequence,hash,keyId,signature,sealedAt,sealProof',
    )
  })

  test.each(['Format=xml', 'Limit=5', 'From=never'])('rejects %s [AUD-6]', async (query) => {
    const answer = await client.call<Problem>('GET', `/api/v1/AuditLog/export?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors?.map((error) => error.path)).toEqual([query.split('=', 1)[0]])
  })
})

describe('cells that start like a formula', () => {
  const dangerous = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")', '=1,\n"2"']

  test.each(dangerous)('escapes a cell that starts like a formula: %j [AUD-6]', async (name) => {
    const other = await addOrganization(running)
    const caller = { ...callerOf(other.organizationId, name), requestId: '-2-3' }
    await writeRecords(running.service.database, caller, [{ action: name, type: name, id: name }])
    const { text: csv } = await download('Format=csv', other)
    const [row, ...rest] = parseCsv(csv)
    expect(rest).toEqual([])
    // In some spreadsheets, a tab or line break starts a new cell.
    const harmless = name.replace(/^[\t\r]?/, "$&'")
    expect(row).toMatchObject({
      actorName: harmless,
      action: harmless,
      resourceType: harmless,
      resourceId: harmless,
      requestId: "'-2-3",
    })
    const [record] = await exported('', other)
    expect(record).toMatchObject({ action: name, actor: { name } })
  })
})

test.each([';', '\t', '\n', ';\t', '; ', ';"', '";', '";"'])(
  'cells after the separator %j do not start like a formula [AUD-6]',
  async (separator) => {
    const other = await addOrganization(running)
    const name = `a${separator}=cmd|' /C calc'!A0${separator}+1${separator}＝2${separator}b`
    const caller = { ...callerOf(other.organizationId, name), requestId: 'r' }
    await writeRecords(running.service.database, caller, [{ action: 'a', type: name, id: name }])
    const { text: csv } = await download('Format=csv', other)
    // This holds for every separator of a spreadsheet, with and without support for quotes.
    const cells = csv.split(/[;\t\r\n]/).map((cell) => cell.replace(/^[\s"]+/, ''))
    expect(cells.filter((cell) => /^[=+\-@＝＋－＠]/.test(cell))).toEqual([])
    const [row] = parseCsv(csv)
    expect(String(row?.actorName).replaceAll("'", '')).toBe(name.replaceAll("'", ''))
  },
)

describe('an export that is not read to its end', () => {
  function busyConnections(): Promise<number> {
    return withPostgresClient(postgres.url, async (sql) => {
      const { rows } = await sql.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and application_name = 'parley' and state <> 'idle'`,
      )
      return rows[0]?.count ?? 0
    })
  }

  test.each(formats)(
    'holds no database connection while the client does not read or after it has left: %s [AUD-6]',
    async (format) => {
      const before = await openConnections(running)
      // More exports than the pool has connections.
      const responses = await Promise.all(Array.from({ length: 21 }, () => openExport(format)))
      await expect.poll(busyConnections, patiently).toBe(0)
      expect((await client.call('GET', '/api/v1/Task')).status).toBe(200)

      for (const response of responses) response.destroy()
      await expect.poll(() => openConnections(running), patiently).toBeLessThanOrEqual(before)
      await expect.poll(busyConnections, patiently).toBe(0)
      expect((await client.call('GET', '/api/v1/Task')).status).toBe(200)
      expect(running.log.filter((line) => line.includes('"level":50'))).toEqual([])
    },
  )

  test.each(formats)('is cut off rather than ended if the database fails: %s [AUD-6]', async (format) => {
    const response = await openExport(format)
    await expect.poll(busyConnections, patiently).toBe(0)
    const rename = (from: string, to: string) =>
      withPostgresClient(postgres.url, (sql) => sql.query(`alter table ${from} rename to ${to}`))
    await rename('audit_record', 'audit_record_away')
    const outcome = await text(response).then(
      () => 'ended',
      () => 'cut',
    )
    await rename('audit_record_away', 'audit_record')
    expect(outcome).toBe('cut')
    expect((await client.call('GET', '/api/v1/AuditLog')).status).toBe(200)
  })
})

/** Returns the number of open connections to the service. */
function openConnections({ service }: RunningService): Promise<number> {
  return new Promise((resolve, reject) =>
    service.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}
