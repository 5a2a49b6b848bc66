import { describe, test } from 'vitest'
import { isNestedDeeper } from '#server/domain/json-text.js'
import { findUnstorable } from '#server/edge/http/request/validation.js'
import { expectLinear } from '../../support/growth.js'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('a body is looked through in time in proportion to its length [BND-8]', () => {
  test.each([
    ['lists in lists', (size: number) => nested(size / 2)],
    ['strings', (size: number) => '"a",'.repeat(size / 4)],
    ['a string that never ends', (size: number) => `"${'\\"'.repeat(size / 2)}`],
    ['quotes', (size: number) => '"'.repeat(size)],
  ])('before it is parsed: %s', async (_, textOf) => {
    await expectLinear(
      (factor) => Buffer.from(textOf(200_000 * factor)),
      (bytes) => isNestedDeeper(bytes, Number.POSITIVE_INFINITY),
    )
  })

  test.each([
    ['empty lists', (count: number): unknown => Array.from({ length: count }, () => [])],
    ['texts', (count: number): unknown => Array.from({ length: count }, () => 'text')],
    [
      'fields',
      (count: number): unknown =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at])),
    ],
    ['a long text', (count: number): unknown => 'x'.repeat(count * 20)],
  ])('after that: %s', async (_, makeValue) => {
    await expectLinear((factor) => makeValue(3000 * factor), findUnstorable)
  })
})
