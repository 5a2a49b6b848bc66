import { expect, test } from 'vitest'
import { canonicalText } from '#server/domain/audit/canonical-text.js'
import { canonicalJson } from '#server/domain/canonical-json.js'
import { makeAuditRecord } from '../../support/stores/records.js'

test('[AUD-9] the text that a record is sealed over is what it always was', () => {
  for (const fields of [{}, { details: {} }, { actor: { type: 'system', id: null, name: null } as const }]) {
    const record = makeAuditRecord('0198a1de-7a0f-7d1c-9e22-35e719f849db', fields)
    const { canonical: _, sequence: __, hash: ___, keyId: ____, ...sealed } = record
    expect(canonicalText(record)).toBe(canonicalJson(sealed))
  }
})
