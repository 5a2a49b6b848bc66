import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

test('[SDK-13] the package brings nothing along that a browser would pay for', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(manifest).toMatchObject({ type: 'module', sideEffects: false })
  expect(manifest).not.toHaveProperty('dependencies')
})

test('[SDK-13] the REST client has at most 6 KB, compressed', async () => {
  const input = fileURLToPath(import.meta.resolve('@parley/sdk'))
  const bundle = await rolldown({ input, platform: 'browser' })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  const [{ code }] = output
  const bytes = gzipSync(code).byteLength
  expect([output.length, bytes <= 6 * 1024], `${bytes} bytes`).toEqual([1, true])
})
