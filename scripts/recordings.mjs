// Plays recorded sessions of model providers through the service, and compares the database with a table.
//
//   npm run recordings -- FOLDER        the recordings, in folders as in docs/reference/providers.md
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const top = fileURLToPath(new URL('../', import.meta.url))
const folder = process.argv[2] ?? process.env.PARLEY_RECORDINGS
if (folder === undefined || !existsSync(folder)) {
  console.error(
    `${folder === undefined ? 'Which recordings?' : `${folder} does not exist.`} npm run recordings -- FOLDER
The recordings are not part of this repository. docs/reference/providers.md names their source.`,
  )
  process.exit(2)
}

await run(['node', 'scripts/build.mjs'])
await run(['npx', 'vitest', 'run', '--config', 'vitest.on-demand.config.ts', 'measures/recordings'])

async function run([program, ...args]) {
  const env = { ...process.env, PARLEY_RECORDINGS: resolve(process.env.INIT_CWD ?? top, folder) }
  const child = spawn(program, args, { cwd: top, stdio: 'inherit', env })
  const [code] = await once(child, 'exit')
  if (code !== 0) process.exit(code ?? 1)
}
