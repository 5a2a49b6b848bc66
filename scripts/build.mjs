// Builds what is not built: the packages, the SDK's files for pages, and the embedded database's ready-made data directory.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)

const compiler = 'node_modules/typescript/bin/tsc'

export async function build(projects = []) {
  await Promise.all([compile(projects), run(['scripts/make-embedded-template.mjs'])])
}

async function compile(projects) {
  if (existsSync(new URL(compiler, root))) {
    await run([compiler, '-b', ...projects])
    return run(['sdk/scripts/bundle.mjs'])
  }
  // A production install has no compiler, and takes along what was built elsewhere.
  if (existsSync(new URL('server/dist/main.js', root))) return
  throw new Error(
    'nothing is built, and the compiler is not installed: run npm ci without --omit=dev, or bring dist',
  )
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${args[0]} ended with code ${code}`)),
    )
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build().catch((error) => {
    console.error(error.message)
    process.exit(1)
  })
}
