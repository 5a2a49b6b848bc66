import { describe, test } from 'vitest'
import { isNestedDeeper } from '#server/domain/json-text.js'
import { findUnstorable } from '#server/edge/http/request/validation.js'
import { expectLinear } from '../../support/growth.js'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('checking a request body takes time in proportion to its length [BND-8]', () => {
  test.each([
    ['lists in lists', (size: number) => nested(size / 2)],
    ['strings', (size: number) => '"a",'.repeat(size / 4)],
    ['an unterminated string', (size: number) => `"${'\\"'.repeat(size / 2)}`],
    ['quotes', (size: number) => '"'.repeat(size)],
  ])('checks the depth before parsing in linear time: %s', async (_, textOf) => {
    await expectLinear(
      (factor) => Buffer.from(textOf(200_000 * factor)),
      (bytes) => isNestedDeeper(bytes, Number.POSITIVE_INFINITY),
    )
  })

  test.each([
    ['empty lists', (count: number): unknown => Array.from({ length: count }, () => [])],
    ['strings', (count: number): unknown => Array.from({ length: count }, () => 'text')],
    [
      'fields',
      (count: number): unknown =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, at])),
    ],
    ['a long text', (count: number): unknown => 'x'.repeat(count * 20)],
  ])('finds unstorable text after parsing in linear time: %s', async (_, makeValue) => {
    await expectLinear((factor) => makeValue(3000 * factor), findUnstorable)
  })
})
