// All of `npm test`: builds and lints side by side, then runs every test, then a few on the LTS version of Node, which is
// fetched meanwhile.
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { fetchNode, nodeVersions, run } from './node-versions.mjs'

const top = fileURLToPath(new URL('../', import.meta.url))
const start = (...args) => run(process.execPath, args, { cwd: top })

// Where that fails, whoever needs it tries again, and tells why.
const fetched = fetchNode(nodeVersions.lts).catch(() => undefined)

try {
  await Promise.all([build(), start('node_modules/@biomejs/biome/bin/biome', 'check')])
  await start('node_modules/vitest/vitest.mjs', 'run')
  await fetched
  await start('scripts/test-matrix.mjs', '--node', 'lts', '--smoke')
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
