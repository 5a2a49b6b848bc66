import { Readable, type Transform } from 'node:stream'
import { type AuditLogExportQuery, AuditLogRecord } from '@parley/contract'
import { stringify } from 'csv-stringify'
import type { StoredAuditRecord } from '../../../ports/audit-store.js'

export interface ExportedFile {
  readonly contentType: string
  readonly fileName: string
  readonly content: Readable
}

const columns = [
  'id',
  'at',
  'actorType',
  'actorId',
  'actorName',
  'action',
  'resourceType',
  'resourceId',
  'outcome',
  'ipAddress',
  'requestId',
  'details',
  'sequence',
  'hash',
  'keyId',
]

const chunkCharacters = 64 * 1024

/** The records as they are read, in the asked format; a slow reader slows the reading of the database. */
export function exportStream(
  format: AuditLogExportQuery['Format'],
  records: AsyncGenerator<StoredAuditRecord>,
): ExportedFile {
  if (format === 'ndjson')
    return {
      contentType: 'application/x-ndjson',
      fileName: 'audit-log.ndjson',
      content: Readable.from(jsonLines(records), { highWaterMark: 1 }),
    }
  return { contentType: 'text/csv; charset=utf-8', fileName: 'audit-log.csv', content: csv(records) }
}

/** Many lines at a time: to send each by itself takes longer than to make it. */
async function* jsonLines(records: AsyncGenerator<StoredAuditRecord>): AsyncGenerator<string> {
  let lines = ''
  for await (const record of records) {
    lines += `${JSON.stringify(AuditLogRecord.parse(record))}\n`
    if (lines.length < chunkCharacters) continue
    yield lines
    lines = ''
  }
  if (lines !== '') yield lines
}

function csv(records: AsyncGenerator<StoredAuditRecord>): Transform {
  const source = Readable.from(csvRows(records))
  // Names come from callers: a cell that begins like a formula must not become one in a spreadsheet.
  const target = stringify({ header: true, columns, escape_formulas: true })
  source.on('error', (error) => target.destroy(error))
  target.on('close', () => source.destroy())
  return source.pipe(target)
}

async function* csvRows(records: AsyncGenerator<StoredAuditRecord>): AsyncGenerator<Record<string, unknown>> {
  for await (const { actor, details, ...record } of records)
    yield {
      ...record,
      actorType: actor.type,
      actorId: actor.id,
      actorName: actor.name,
      details: JSON.stringify(details),
    }
}
