import type { AuditLogHead, AuditLogRecord } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { makeChainKeys } from '#server/adapters/system/chain-keys.js'
import { canonicalText } from '#server/domain/audit/canonical-text.js'
import { hashAfter, sealOf } from '#server/domain/audit/chain-hash.js'
import { makeAuditSigning, sealProofOf } from '#server/domain/audit/record-signature.js'
import { type ExportToVerify, verifyExport } from '#server/domain/audit/verify-export.js'
import { makeAuditRecord } from '../../support/stores/records.js'

const chainKeys = makeChainKeys('a secret for tests that is long enough')
const olderKey = makeChainKeys('a secret that was replaced some time ago').current()
const organizationId = uuid()

/** Six records: one without a key, two by an older key, and three by the current key. */
function makeExport(): { readonly records: AuditLogRecord[]; readonly head: AuditLogHead } {
  let hash = ''
  const records = [null, olderKey, olderKey, ...Array.from({ length: 3 }, () => chainKeys.current())].map(
    (key, index): AuditLogRecord => {
      const record = makeAuditRecord(organizationId, { action: 'agent.update', resourceId: `${index}` })
      hash = hashAfter(key, hash, canonicalText(record))
      const place = { sequence: index + 1, hash, keyId: key?.id ?? null }
      if (key === null) return { ...record, ...place }
      const [sealedAt, signature] = [record.at, 'a signature']
      const sealProof = sealProofOf(key, organizationId, { ...place, sealedAt, signature })
      return { ...record, ...place, sealedAt, signature, sealProof }
    },
  )
  const extent = {
    sequence: 5,
    hash: records[4]?.hash ?? '',
    bareThrough: 1,
    removedThrough: 0,
    removedHash: '',
  }
  const sealedAt = '2030-01-01T00:00:01.000Z'
  const seal = sealOf(chainKeys.current(), organizationId, { ...extent, sealedAt })
  const statement = { organizationId, unsignedThrough: 1, unsignedUntil: sealedAt }
  const changeover = makeAuditSigning(chainKeys, () => undefined).sealChangeover(statement)
  const { id: keyId } = chainKeys.current()
  const head = { ...extent, organizationId, removedHash: null, sealedAt, keyId, seal, changeover }
  return { records, head }
}

async function* inOrder(records: readonly AuditLogRecord[]) {
  yield* records
}

const check = (records: readonly AuditLogRecord[], head: AuditLogHead, more: Partial<ExportToVerify> = {}) =>
  verifyExport({
    head,
    records: inOrder(records),
    keys: chainKeys.inUse(),
    olderKeys: async () => [olderKey],
    ...more,
  })

type Tampering = (records: AuditLogRecord[], head: AuditLogHead) => readonly [AuditLogRecord[], AuditLogHead]

const changed = (records: AuditLogRecord[], sequence: number, fields: Partial<AuditLogRecord>) =>
  records.map((record) => (record.sequence === sequence ? { ...record, ...fields } : record))

const tamperings: readonly (readonly [what: string, brokenSequence: number, Tampering])[] = [
  ['a changed record', 2, (records, head) => [changed(records, 2, { action: 'x' }), head]],
  ['a missing record', 4, (records, head) => [records.toSpliced(3, 1), head]],
  ['a missing end', 5, (records, head) => [records.slice(0, 4), head]],
  [
    'a record that occurs twice',
    2,
    (records, head) => [records.toSpliced(2, 0, ...records.slice(1, 2)), head],
  ],
  ['a removed key', 4, (records, head) => [changed(records, 4, { keyId: null }), head]],
  ['another head', 4, (records, head) => [records, { ...head, sequence: 4, hash: records[3]?.hash ?? null }]],
  [
    'a head that declares all records sealed without a key',
    5,
    (records, head) => [records, { ...head, bareThrough: 5 }],
  ],
]

describe('an audit export [AUD-12]', () => {
  test('is valid up to its head, in any order and with records that were not sealed yet', async () => {
    const { records, head } = makeExport()
    const whole = { valid: true, checkedCount: 5, brokenSequence: null }
    expect(await check(records, head)).toMatchObject(whole)
    const unsealed = { ...records[0], id: uuid(), sequence: null, hash: null, keyId: null } as AuditLogRecord
    expect(await check([unsealed, ...records.toReversed()], head)).toMatchObject(whole)
  })

  test.each(tamperings)('with %s is invalid at record %i', async (_, brokenSequence, tamper) => {
    const { records, head } = makeExport()
    expect(await check(...tamper(records, head))).toMatchObject({ valid: false, brokenSequence })
  })

  test('is invalid if an empty head shows that the head was removed [AUD-12]', async () => {
    const { records, head } = makeExport()
    const unsealed = { sequence: null, hash: null, keyId: null, sealedAt: null, sealProof: null }
    const cleared = records.map((record) => ({ ...record, ...unsealed }))
    const none = { sealedAt: null, keyId: null, seal: null, changeover: null }
    const empty = { ...head, ...none, sequence: 0, hash: null, bareThrough: 0 }
    expect(await check(cleared, empty)).toMatchObject({ valid: false, brokenSequence: 1 })
  })

  test('names the key that is missing', async () => {
    const { records, head } = makeExport()
    const found = await check(records, head, { olderKeys: async () => [] })
    expect(found).toMatchObject({ brokenSequence: 2, detail: expect.stringContaining(olderKey.id) })
    expect(await check(records, head, { keys: [] })).toMatchObject({ valid: false, brokenSequence: 5 })
  })
})
