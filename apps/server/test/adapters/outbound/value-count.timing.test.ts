import { describe, test } from 'vitest'
import { ValueCount } from '#server/adapters/outbound/value-count.js'
import { expectLinear } from '../../support/growth.js'

describe('counting the values of a message', () => {
  test.each([
    ['values', '1,'],
    ['strings', '"a",'],
    ['quotes', '\\"'],
    ['lines', '\n\r'],
  ])('takes time in proportion to its %s [BND-18]', async (_, unit) => {
    await expectLinear(
      (factor) => Buffer.from(unit.repeat(50_000 * factor)),
      (bytes) => new ValueCount(true).add(bytes),
    )
  })
})
