// Runs the tests on other Node versions, and prints the results.
//
//   npm run test:matrix                                   every test on every version
//   npm run test:matrix -- apps/server/test/realtime           these files on every version
//   npm run test:matrix -- --node lts --smoke             build, start and a few realtime tests on one version
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findProgram } from '../apps/server/bin/programs.mjs'
import { fetchNode, nodeVersions, run } from './node-versions.mjs'

const top = fileURLToPath(new URL('../', import.meta.url))
const startSeconds = 60
const suiteMinutes = 60
/** Sockets, streams and timers of the platform: connect, relay, tool call and end. */
const realtimeFiles = ['handshake', 'relay', 'backpressure', 'tool-calls', 'ends'].map(
  (name) => `apps/server/test/scenarios/realtime/${name}.service.test.ts`,
)
/** Native libraries, which Node versions load and unload differently. */
const smokeFiles = [
  ...realtimeFiles,
  'apps/server/test/adapters/embedded-engine/hearing-again.speech.test.ts',
]
/** These tests are few and use all workers, so they run in one process. */
const smokeWorkers = 1

const { values, positionals } = parseArgs({
  options: { node: { type: 'string', multiple: true }, smoke: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const names = values.node ?? Object.keys(nodeVersions)
const unknown = names.find((name) => nodeVersions[name] === undefined)
if (unknown !== undefined) {
  console.error(`--node is one of ${Object.keys(nodeVersions).join(', ')}, not ${unknown}`)
  process.exit(2)
}

const rows = []
for (const name of names) rows.push(...(await tryVersion(name)))
console.table(rows)
process.exitCode = rows.every(({ result }) => result === 'passed') ? 0 : 1

async function tryVersion(name) {
  const version = nodeVersions[name]
  const steps = values.smoke
    ? { build, start, tests: (node) => test(node, [...smokeFiles, `--maxWorkers=${smokeWorkers}`]) }
    : { tests: (node) => test(node, positionals) }
  const done = []
  let node
  for (const [step, perform] of Object.entries({
    fetch: async () => (node = await fetchNode(version)),
    ...steps,
  })) {
    console.log(`\n== Node ${version} (${name}): ${step}`)
    const startedAt = performance.now()
    const row = { node: `${version} (${name})`, step, result: 'passed', details: '' }
    try {
      const details = await perform(node)
      if (step === 'tests') row.details = details
    } catch (error) {
      Object.assign(row, { result: 'FAILED', details: error.message })
    }
    row.seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1))
    if (step !== 'fetch' || row.result !== 'passed') done.push(row)
    if (row.result !== 'passed') break
  }
  return done
}

/** Programs started by name use the same Node version. */
function settings(node, more = {}) {
  return {
    cwd: top,
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, ...more },
  }
}

async function build(node) {
  await run(node, ['scripts/build.mjs'], settings(node))
}

/** The service responds, and exits on a signal. */
async function start(node) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-start-'))
  const child = spawn(node, [fileURLToPath(findProgram('main'))], {
    ...settings(node, { PORT: '0', PARLEY_DATA_DIR: folder }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), startSeconds * 1000)
  let printed = ''
  // The output is read to its end. Otherwise a program may stop on a closed pipe.
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk
  })
  try {
    const url = await listeningUrl(child, () => printed)
    const response = await fetch(`${url}/healthz`)
    if (response.status !== 200) throw new Error(`/healthz answered ${response.status}`)
    child.kill('SIGTERM')
    const [code, signal] = await ended
    if (code !== 0) throw new Error(`the service ended with ${signal ?? `code ${code}`}`)
  } catch (error) {
    // The log contains its exit reason.
    process.stdout.write(printed)
    throw error
  } finally {
    child.kill('SIGKILL')
    clearTimeout(timer)
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

function listeningUrl(child, printed) {
  return new Promise((resolve, reject) => {
    child.stdout.on('data', () => {
      const url = /listening at (http:\/\/[^\s"]+)/.exec(printed())?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the service did not start')))
  })
}

async function test(node, files) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-matrix-'))
  const report = join(folder, 'report.json')
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  try {
    await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...files], {
      ...settings(node),
      timeout: suiteMinutes * 60_000,
    }).catch(async (error) => {
      throw existsSync(report) ? new Error(await summary(report)) : error
    })
    return await summary(report)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function summary(report) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(await readFile(report, 'utf8'))
  const broken = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name.slice(top.length))
  return [
    `${numPassedTests} passed`,
    ...(broken.length === 0 ? [] : [`${numFailedTests} failed in ${broken.join(', ')}`]),
  ].join(', ')
}
