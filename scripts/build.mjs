// Builds everything that is out of date: the packages, the embedded database's initial data directory, the service's bundle,
// the SDK's files for pages, and the console.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { bundleServer } from './bundle-server.mjs'
import { showProgress } from './progress.mjs'

const root = new URL('../', import.meta.url)

const compiler = 'node_modules/typescript/bin/tsc'

/** Type checkers repeat much of each other's work. With few cores, a single one is faster and needs a third less work. */
const compilerFlags = [
  ...(availableParallelism() > 4 ? [] : ['--checkers', '1']),
  ...(process.stderr.isTTY ? ['--pretty'] : []),
]

/** A production install has neither compiler nor bundler, and uses files built elsewhere. */
export const canCompile = existsSync(new URL(compiler, root))

/** The output of programs passes through `progress`, so that it does not mix with the line of the progress. */
export async function build(projects = [], progress = null) {
  const run = (args) => runProgram(args, progress)
  if (!canCompile && !existsSync(new URL('apps/server/dist/main.js', root)))
    throw new Error(
      'nothing is built, and the compiler is not installed: run npm ci without --omit=dev, or bring dist',
    )
  progress?.step(canCompile ? 'compiling' : 'creating the embedded database')
  const compiling = canCompile ? [run([compiler, '-b', ...compilerFlags, ...projects])] : []
  await Promise.all([...compiling, run(['packages/embedded-database/scripts/make-template.mjs'])])
  if (!canCompile) return
  progress?.step('bundling the service and the console')
  await Promise.all([
    bundleServer(),
    run(['packages/sdk/scripts/bundle.mjs']),
    run(['apps/console/scripts/build.mjs']),
  ])
}

function runProgram(args, progress) {
  return new Promise((resolve, reject) => {
    const stdio = progress === null ? 'inherit' : ['ignore', 'pipe', 'pipe']
    const child = spawn(process.execPath, args, { cwd: root, stdio })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => progress.print(text))
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${args[0]} ended with code ${code}`)),
    )
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const progress = showProgress('Building')
  await build([], progress).catch((error) => {
    progress.end()
    console.error(error.message)
    process.exit(1)
  })
  progress.done('Built')
}
