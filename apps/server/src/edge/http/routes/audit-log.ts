import { Readable, type Transform } from 'node:stream'
import { type AuditLogExportQuery, operations } from '@parley/contract'
import { stringify } from 'csv-stringify'
import { FairQueue } from '../../../concurrency/fair-queue.js'
import { exportAuditLog, listAuditLog } from '../../../domain/audit/audit-log.js'
import { jsonText } from '../../../domain/audit/canonical-text.js'
import { readHead } from '../../../domain/audit/chain-head.js'
import { heldHeadOf } from '../../../domain/audit/held-head.js'
import { verifyAuditLog } from '../../../domain/audit/verify.js'
import { DomainError } from '../../../domain/domain-error.js'
import type { RecordRow } from '../../../ports/audit-store.js'
import type { ExportedFile, Router } from '../operation-route.js'
import type { Services } from '../services.js'

/**
 * The limits for verifications. An organization runs one at a time, because a verification reads a chain that
 * may be long.
 */
const verificationSlots = { atOncePerOwner: 1, maxWaitingPerOwner: 49 } as const
const retryAfterSeconds = 10

export function registerAuditLogRoutes({ read, act, stream }: Router, services: Services): void {
  const verifications = new FairQueue(services.questions.timers, verificationSlots)
  read(operations.listAuditLog, ({ query }, scope) => listAuditLog(scope, query))
  read(operations.readAuditLogHead, (_call, scope) => readHead(scope))
  // Each page of a long chain waits for its own slot at the database, so that it does not delay other calls.
  act(operations.verifyAuditLog, async ({ query }, scope) => {
    const held = heldHeadOf(query)
    const { organizationId } = scope.caller
    const verified = await verifications.run(organizationId, () => verifyAuditLog(services, scope, held))
    if (!verified.ok)
      throw new DomainError(
        'RateLimited',
        'Too many verifications of this audit log are waiting (50). Wait for their results.',
        { retryAfterSeconds },
      )
    const found = verified.value
    // This is not reported as a forgery, because a newer version may seal records in a way that this version
    // does not know.
    if (!found.valid && (await services.database.hasNewerSchema()))
      throw new DomainError(
        'Unavailable',
        'A newer version of Parley has changed the database, so this instance cannot verify the audit log. Send the request to an instance of the newer version.',
      )
    return found
  })
  stream(operations.exportAuditLog, ({ query }, scope) =>
    exportStream(query.Format, exportAuditLog(scope, query)),
  )
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
  'signature',
  'sealedAt',
  'sealProof',
]

const chunkCharacters = 64 * 1024

type RecordPages = AsyncGenerator<readonly RecordRow[]>

/**
 * Streams the records in the requested format. If the client reads slowly, the database is read slowly too.
 */
function exportStream(format: AuditLogExportQuery['Format'], pages: RecordPages): ExportedFile {
  if (format === 'ndjson')
    return {
      contentType: 'application/x-ndjson',
      fileName: 'audit-log.ndjson',
      content: Readable.from(jsonLines(pages), { highWaterMark: 1 }),
    }
  return { contentType: 'text/csv; charset=utf-8', fileName: 'audit-log.csv', content: csv(pages) }
}

/** Sends many lines at once, because sending single lines takes longer than formatting them. */
async function* jsonLines(pages: RecordPages): AsyncGenerator<string> {
  let lines = ''
  for await (const page of pages) {
    for (const record of page) {
      lines += lineOf(record)
      if (lines.length < chunkCharacters) continue
      yield lines
      lines = ''
    }
  }
  if (lines !== '') yield lines
}

function csv(pages: RecordPages): Transform {
  const source = Readable.from(csvRows(pages))
  const target = stringify({ header: true, columns, cast: { string: harmlessCell } })
  source.on('error', (error) => target.destroy(error))
  target.on('close', () => source.destroy())
  return source.pipe(target)
}

/**
 * Prevents spreadsheets from interpreting texts of callers as formulas. Many spreadsheets separate cells by
 * `;` or tab instead of commas. A quote mark is therefore added before a formula character at the start of
 * the text and of each part of it.
 */
function harmlessCell(text: string): string {
  return text.replaceAll(/(^|[;\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠])/g, "$1'")
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

/**
 * Returns exactly the fields of the contract on one line. Concatenation produces a third of the garbage of
 * objects and `JSON.stringify`, and this garbage determines the memory usage of an export.
 */
function lineOf(record: RecordRow): string {
  const { id, at, actor, action, resourceType, resourceId, outcome } = record
  const { ipAddress, requestId, sequence, hash, keyId, signature, sealedAt, sealProof } = record
  return (
    `{"id":${jsonText(id)},"at":${jsonText(at)},"actor":{"type":${jsonText(actor.type)},"id":${jsonText(actor.id)},` +
    `"name":${jsonText(actor.name)}},"action":${jsonText(action)},"resourceType":${jsonText(resourceType)},` +
    `"resourceId":${jsonText(resourceId)},"outcome":${jsonText(outcome)},"ipAddress":${jsonText(ipAddress)},` +
    `"requestId":${jsonText(requestId)},"details":${onOneLine(record.detailsText)},"sequence":${sequence},` +
    `"hash":${jsonText(hash)},"keyId":${jsonText(keyId)},"signature":${jsonText(signature)},` +
    `"sealedAt":${jsonText(sealedAt)},"sealProof":${jsonText(sealProof)}}\n`
  )
}

/** Removes line breaks between values, which someone with access to the database could have added. */
const onOneLine = (json: string) => (/[\n\r]/.test(json) ? JSON.stringify(JSON.parse(json)) : json)
