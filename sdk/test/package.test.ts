import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the package brings nothing along that a browser would pay for', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(manifest).toMatchObject({ type: 'module', sideEffects: false })
  expect(manifest).not.toHaveProperty('dependencies')
})
