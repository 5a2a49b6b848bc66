// Runs the server of another version beside today's, on today's schema: what every deploy does for a while.
//
//   npm run test:previous -- v1.2.0        any ref that git knows
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const top = fileURLToPath(new URL('../', import.meta.url))
const [ref] = process.argv.slice(2)
if (ref === undefined) {
  console.error('Which version? npm run test:previous -- <git ref>')
  process.exit(2)
}

// Such a version refuses the database, as it should: of what lay on a branch, migrations may have been changed until they landed.
const changed = await read([
  'git',
  'diff',
  '--no-renames',
  '--name-only',
  '--diff-filter=MD',
  ref,
  'HEAD',
  '--',
  'apps/server/migrations/*.sql',
])
if (changed !== '') {
  console.error(
    `Since ${ref} these migrations were changed, which no released version's are:\n${changed}\nTake another one.`,
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

async function read([program, ...args]) {
  const child = spawn(program, args, { cwd: top, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return output.trim()
}
