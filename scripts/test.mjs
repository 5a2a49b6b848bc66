// All of `npm test`: builds and lints side by side while the programs are fetched that tests run on, then runs every test,
// and beside them a few on the LTS version of Node.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { fetchNode, nodeVersions, run } from './node-versions.mjs'

const top = fileURLToPath(new URL('../', import.meta.url))
const start = (...args) => run(process.execPath, args, { cwd: top })

// Where that fails, whoever needs it tries again, and tells why.
const fetched = Promise.allSettled([fetchNode(nodeVersions.lts), start('scripts/get-test-programs.mjs')])

try {
  await Promise.all([build(), start('node_modules/@biomejs/biome/bin/biome', 'check')])
  await fetched
  const smoke = startUnseen('scripts/test-matrix.mjs', '--node', 'lts', '--smoke')
  const [tests] = await Promise.allSettled([start('node_modules/vitest/vitest.mjs', 'run'), smoke])
  const { code, output } = await smoke
  console.log(output)
  if (tests.status === 'rejected') throw tests.reason
  if (code !== 0) throw new Error('the tests on the LTS version of Node have failed')
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

/** What it prints comes afterwards, so that it does not stand between the lines of others. */
async function startUnseen(...args) {
  const child = spawn(process.execPath, args, { cwd: top, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
  const [code] = await once(child, 'close')
  return { code, output: Buffer.concat(output).toString() }
}
