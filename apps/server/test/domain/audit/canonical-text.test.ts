import { expect, test } from 'vitest'
import { canonicalText, isAsWritten } from '#server/domain/audit/canonical-text.js'
import { canonicalJson } from '#server/domain/json-text.js'
import { makeAuditRecord } from '../../support/stores/records.js'

test('the canonical text of a sealed record never changes [AUD-9]', () => {
  for (const fields of [{}, { details: {} }, { actor: { type: 'system', id: null, name: null } as const }]) {
    const record = makeAuditRecord('0198a1de-7a0f-7d1c-9e22-35e719f849db', fields)
    const seal = ['sequence', 'hash', 'keyId', 'signature', 'sealedAt', 'sealProof']
    const sealed = Object.entries(record).filter(([field]) => field !== 'canonical' && !seal.includes(field))
    expect(canonicalText(record)).toBe(canonicalJson(Object.fromEntries(sealed)))
  }
})

test('the sealed fields are recognized however their details are stored, and other fields are not [AUD-4]', () => {
  const record = makeAuditRecord('0198a1de-7a0f-7d1c-9e22-35e719f849db')
  const canonical = canonicalText(record)
  const { details, ...stored } = record
  const inOrder = '{"a":{"nested":[true,null]},"z":1}'
  for (const detailsText of [JSON.stringify(details), inOrder, ` ${inOrder}`])
    expect(isAsWritten({ ...stored, canonical, detailsText })).toBe(true)
  const changes = [
    { detailsText: '{"a":{"nested":[true,null]},"z":2}' },
    { detailsText: '{"a":{"nested":[null,true]},"z":1}' },
    { resourceId: 'another task' },
    { actor: { ...stored.actor, name: null } },
    // Text after the JSON, which is part of the sealed text.
    { requestId: 'request","resourceId":"a task' },
  ]
  for (const change of changes)
    expect(isAsWritten({ ...stored, canonical, detailsText: inOrder, ...change })).toBe(false)
})
