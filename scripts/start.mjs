// `npm start`: builds everything that is out of date, then becomes `parley start`.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isConsoleCurrent } from '../apps/console/scripts/current.mjs'
import { isBundleCurrent } from '../apps/server/bin/programs.mjs'
import { build, canCompile } from './build.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const packages = [
  'packages/contract',
  'packages/engine',
  'packages/embedded-database',
  'apps/server',
  'packages/sdk',
]

if (!isBuilt()) {
  // On standard error, like all messages for people. Programs without a terminal read the log from standard output.
  if (canCompile) console.error('Building (only after a change) …')
  else if (packages.every(hasOutput)) console.error('Preparing the embedded database (once) …')
  await build(packages).catch((error) => {
    console.error(`The build failed: ${error.message}`)
    process.exit(1)
  })
}
process.argv.splice(2, process.argv.length, 'start', ...process.argv.slice(2))
await import('../apps/server/bin/parley.mjs')

function isBuilt() {
  return (
    packages.every(isCompiled) &&
    existsSync(`${root}packages/sdk/dist/parley-sdk.tgz`) &&
    (canCompile ? isConsoleCurrent() : existsSync(`${root}apps/console/dist`)) &&
    readdirSync(`${root}packages/embedded-database/dist`).some(isTemplate) &&
    (!canCompile || isBundleCurrent())
  )
}

function isCompiled(name) {
  const source = `${root}${name}/src`
  // A prebuilt installation is not rebuilt, because its timestamps are those of copying.
  if (!canCompile || !existsSync(source)) return hasOutput(name)
  const stamp = `${root}${name}/dist/.tsbuildinfo`
  return existsSync(stamp) && newest(source) <= statSync(stamp).mtimeMs
}

function hasOutput(name) {
  return existsSync(`${root}${name}/dist`)
}

function isTemplate(name) {
  return /^embedded-template-\d/.test(name)
}

function newest(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(`${entry.parentPath}/${entry.name}`).mtimeMs), 0)
}
