import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { AuditLogHead, AuditLogRecord } from '@parley/contract'
import type { Output } from '@parley/terminal'
import { openKeys } from '../domain/audit/key-ring.js'
import { type ExportedHead as Head, verifyExport } from '../domain/audit/verify-export.js'
import { DomainError } from '../domain/domain-error.js'
import type { OperatorAccess } from '../domain/operator/operator-act.js'
import { readRetiredKeys } from '../domain/operator/rotate-secret.js'
import type { ChainKeys, Cipher } from '../ports/secrets.js'

export interface VerifyCommand {
  readonly access: OperatorAccess
  readonly output: Output
  readonly cipher: Cipher
  readonly chainKeys: ChainKeys
}

/**
 * Returns whether an exported audit log matches its head. Needs the secret. Reads the database only for the keys
 * of replaced secrets.
 */
export async function verifyExportedLog(
  { access, output, cipher, chainKeys }: VerifyCommand,
  files: { readonly file: string; readonly head: string },
): Promise<boolean> {
  const found = await verifyExport({
    head: await readHead(files.head),
    records: readRecords(files.file),
    keys: chainKeys.inUse(),
    olderKeys: async () => openKeys(cipher, await access.run(readRetiredKeys, {})),
  })
  const { valid, checkedCount, brokenSequence, detail } = found
  output.result(found, () =>
    valid
      ? [`The chain is valid: ${checkedCount} records. ${detail}`]
      : [`The chain is broken at record ${brokenSequence}. ${detail}`],
  )
  return valid
}

/** Exports from versions without signatures lack the signature fields. */
const ExportedHead = AuditLogHead.partial({ changeover: true })
const ExportedRecord = AuditLogRecord.extend({
  signature: AuditLogRecord.shape.signature.default(null),
  sealedAt: AuditLogRecord.shape.sealedAt.default(null),
  sealProof: AuditLogRecord.shape.sealProof.default(null),
})

async function readHead(path: string): Promise<Head> {
  const head = ExportedHead.safeParse(parseJson(await readFile(path, 'utf8')))
  if (!head.success)
    throw new DomainError(
      'InvalidRequest',
      `${path} is not an audit log head. Save the response of GET /api/v1/AuditLog/head.`,
    )
  return head.data
}

async function* readRecords(path: string): AsyncGenerator<AuditLogRecord> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1
    if (line === '') continue
    const record = ExportedRecord.safeParse(parseJson(line))
    if (!record.success)
      throw new DomainError(
        'InvalidRequest',
        `Line ${number} of ${path} is not an audit record. Export the log with Format=ndjson.`,
      )
    yield record.data
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
