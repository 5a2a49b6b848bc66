import { readFileSync } from 'node:fs'
import { buildErrorReference } from '@parley/contract/error-reference'
import { expect, test } from 'vitest'

test('docs/reference/errors.md is what `npm run generate` writes', () => {
  const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')
  expect(page).toBe(buildErrorReference())
})
