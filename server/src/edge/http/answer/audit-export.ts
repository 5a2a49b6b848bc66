import { Readable, type Transform } from 'node:stream'
import type { AuditLogExportQuery, AuditLogRecord } from '@parley/contract'
import { stringify } from 'csv-stringify'
import type { ChainedRecord } from '../../../ports/audit-store.js'

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

type RecordPages = AsyncGenerator<readonly ChainedRecord[]>

/** The records as they are read, in the asked format; a slow reader slows the reading of the database. */
export function exportStream(format: AuditLogExportQuery['Format'], pages: RecordPages): ExportedFile {
  if (format === 'ndjson')
    return {
      contentType: 'application/x-ndjson',
      fileName: 'audit-log.ndjson',
      content: Readable.from(jsonLines(pages), { highWaterMark: 1 }),
    }
  return { contentType: 'text/csv; charset=utf-8', fileName: 'audit-log.csv', content: csv(pages) }
}

/** Many lines at a time: to send each by itself takes longer than to make it. */
async function* jsonLines(pages: RecordPages): AsyncGenerator<string> {
  let lines = ''
  for await (const page of pages) {
    for (const record of page) {
      lines += `${JSON.stringify(exportedRecord(record))}\n`
      if (lines.length < chunkCharacters) continue
      yield lines
      lines = ''
    }
  }
  if (lines !== '') yield lines
}

function csv(pages: RecordPages): Transform {
  const source = Readable.from(csvRows(pages))
  // Names come from callers: a cell that begins like a formula must not become one in a spreadsheet.
  const target = stringify({ header: true, columns, escape_formulas: true })
  source.on('error', (error) => target.destroy(error))
  target.on('close', () => source.destroy())
  return source.pipe(target)
}

async function* csvRows(pages: RecordPages): AsyncGenerator<Record<string, unknown>> {
  for await (const page of pages)
    for (const { actor, detailsText, ...record } of page)
      yield {
        ...record,
        actorType: actor.type,
        actorId: actor.id,
        actorName: actor.name,
        details: JSON.stringify(JSON.parse(detailsText)),
      }
}

/** Exactly the fields of the contract. Its schema would say so too, in as much time as all the rest takes. */
function exportedRecord(record: ChainedRecord): AuditLogRecord {
  return {
    id: record.id,
    at: record.at,
    actor: record.actor,
    action: record.action,
    resourceType: record.resourceType,
    resourceId: record.resourceId,
    outcome: record.outcome,
    ipAddress: record.ipAddress,
    requestId: record.requestId,
    details: JSON.parse(record.detailsText),
    sequence: record.sequence,
    hash: record.hash,
    keyId: record.keyId,
  }
}
