// Builds what is not built: the packages, and the embedded database's ready-made data directory beside them.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)

export async function build(projects = []) {
  await Promise.all([
    run(['node_modules/typescript/bin/tsc', '-b', ...projects]),
    run(['scripts/make-embedded-template.mjs']),
  ])
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
