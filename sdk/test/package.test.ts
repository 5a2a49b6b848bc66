import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the package brings nothing along that a browser would pay for', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  // The element defines itself; everything else that nobody uses is left out.
  const sideEffects = ['./dist/element/index.js', './dist/browser/*.js']
  expect(manifest).toMatchObject({ type: 'module', sideEffects })
  expect(manifest).not.toHaveProperty('dependencies')
})
