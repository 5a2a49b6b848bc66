// Runs the server of an earlier version next to the current one, on the current schema, as in every rolling deployment.
//
//   npm run test:previous -- v1.2.0        any git ref
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const top = fileURLToPath(new URL('../', import.meta.url))
const [ref] = process.argv.slice(2)
if (ref === undefined) {
  console.error('Which version? npm run test:previous -- <git ref>')
  process.exit(2)
}

// A database is rejected if an applied migration was changed. Released migrations never change, but those of a branch
// may.
const [earlier, present] = await Promise.all([migrationsOf(ref), migrationsOf('HEAD')])
if (earlier.size === 0) {
  console.error(`${ref} has no migrations.`)
  process.exit(2)
}
const changed = [...earlier].filter(([name, blob]) => present.get(name) !== blob).map(([name]) => name)
if (changed.length > 0) {
  console.error(
    `These migrations changed since ${ref}: ${changed.join(', ')}.\nChoose a version whose migrations are unchanged.`,
  )
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'parley-previous-'))
process.once('SIGINT', () => process.exit(1))
try {
  console.log(`== ${ref}, into ${folder}`)
  await run(['sh', '-c', 'git archive "$1" | tar -x -C "$2"', 'sh', ref, folder], top)
  await run(['npm', 'ci', '--no-audit', '--no-fund'], folder)
  await run(['npm', 'run', 'build'], folder)
  console.log(`== ${ref} beside today's`)
  const config = ['--config', 'vitest.on-demand.config.ts', 'previous-version']
  await run(['npx', 'vitest', 'run', ...config], top, { PARLEY_PREVIOUS: folder })
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function run([program, ...args], cwd, env = {}) {
  const child = spawn(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`)
}

/** Names and blobs of a version's migrations. Versions before `apps/` have the server at the top level. */
async function migrationsOf(version) {
  const folders = ['apps/server/migrations/', 'server/migrations/']
  const listed = await read(['git', 'ls-tree', '--format=%(objectname) %(path)', version, ...folders])
  return new Map(
    listed
      .split('\n')
      .filter((line) => line.endsWith('.sql'))
      .map((line) => line.split(' '))
      .map(([blob, path]) => [basename(path), blob]),
  )
}

async function read([program, ...args]) {
  const child = spawn(program, args, { cwd: top, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return output.trim()
}
