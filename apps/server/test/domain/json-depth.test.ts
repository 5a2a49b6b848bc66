import { expect, test } from 'vitest'
import { isNestedDeeper } from '#server/domain/json-text.js'

test.each([
  ['[]', 1],
  ['{"a":[{}]}', 3],
  ['[[],[],[]]', 2],
  ['"[[["', 0],
  [String.raw`["\"[[[", "\\", []]`, 2],
])('%s has %i levels [BND-8]', (text, depth) => {
  expect(isNestedDeeper(Buffer.from(text), depth - 1)).toBe(depth > 0)
  expect(isNestedDeeper(Buffer.from(text), depth)).toBe(false)
})
