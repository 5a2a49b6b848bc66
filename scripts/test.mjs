// Builds, fetches the programs that the tests use, and runs the tests.
//
//   node scripts/test.mjs quick      unit tests
//   node scripts/test.mjs everyday   npm test
//   node scripts/test.mjs rest       all other tests, the code checks and the LTS version
//   node scripts/test.mjs all        both
//   node scripts/test.mjs timing     assertions on time, alone and sequentially
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { fetchNode, nodeVersions, run } from './node-versions.mjs'

const top = fileURLToPath(new URL('../', import.meta.url))

/** The test projects of each command, as named in vitest.config.ts. */
const { everyday, rest, timing } = JSON.parse(
  readFileSync(new URL('test-runs.json', import.meta.url), 'utf8'),
)
const fewPrograms = ['postgres', 'redis', 'chromium']
const allPrograms = [
  ...fewPrograms,
  'pgbouncer',
  'nginx',
  'caddy',
  'postgresClient',
  'baresip',
  'sipp',
  'kamailio',
]

/** Unit tests load only these packages. */
const projectsOfUnits = [
  'packages/contract',
  'packages/engine',
  'apps/server',
  'apps/talk',
  'packages/sdk',
  'packages/telephone',
  'packages/terminal',
  'packages/agents-as-code',
  'packages/agent-tests',
]

const runs = {
  quick: { kinds: ['unit'], projects: projectsOfUnits },
  everyday: { kinds: everyday, programs: fewPrograms },
  rest: { kinds: rest, programs: allPrograms, isComplete: true },
  all: { kinds: [...everyday, ...rest], programs: allPrograms, isComplete: true },
  timing: { kinds: timing, programs: fewPrograms, options: ['--maxWorkers=1'] },
}

const [name, ...filters] = process.argv.slice(2)
const chosen = runs[name]
if (chosen === undefined) {
  console.error(`The first argument must be one of: ${Object.keys(runs).join(', ')}.`)
  process.exit(2)
}

try {
  await test(chosen)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function test({ kinds, projects, programs = [], options = [], isComplete = false }) {
  // The test that needs the program tries again, and reports why it is missing.
  const fetched = Promise.allSettled([
    ...(isComplete ? [fetchNode(nodeVersions.lts)] : []),
    ...(programs.length > 0 ? [start('scripts/get-test-programs.mjs', ...programs)] : []),
  ])
  if (isComplete) await check('check')
  await (projects === undefined ? build() : compile(projects))
  if (isComplete) await check('check:qa')
  await fetched
  const smoke = isComplete ? startUnseen('scripts/test-matrix.mjs', '--node', 'lts', '--smoke') : undefined
  const selection = kinds.map((kind) => `--project=${kind}`)
  const arguments_ = ['node_modules/vitest/vitest.mjs', 'run', ...selection, ...options, ...filters]
  const [tests] = await Promise.allSettled([start(...arguments_), smoke])
  if (smoke !== undefined) {
    const { code, output } = await smoke
    console.log(output)
    if (code !== 0) throw new Error('The tests on the LTS version of Node failed.')
  }
  if (tests.status === 'rejected') throw tests.reason
}

/** Types, lint, import directions and unused code: `check` for apps and packages, `check:qa` for qa. */
function check(command) {
  return run('npm', ['run', '--silent', command], { cwd: top })
}

function compile(projects) {
  return start('node_modules/typescript/bin/tsc', '-b', ...projects)
}

function start(...args) {
  return run(process.execPath, args, { cwd: top })
}

/** The output is printed at the end, so that it does not mix with other tests' output. */
async function startUnseen(...args) {
  const child = spawn(process.execPath, args, { cwd: top, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
  const [code] = await once(child, 'close')
  return { code, output: Buffer.concat(output).toString() }
}
