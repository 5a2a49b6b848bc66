// Builds what `npm start` and `npm run talk` need, if it is missing or older than its sources.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isConsoleCurrent } from '../apps/console/scripts/current.mjs'
import { isBundleCurrent } from '../apps/server/bin/programs.mjs'
import { build, canCompile } from './build.mjs'
import { showProgress } from './progress.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const packages = [
  'packages/contract',
  'packages/engine',
  'packages/embedded-database',
  'apps/server',
  'packages/sdk',
]

/** Ends the process if the build fails. `others` are further projects that the caller needs. */
export async function prepare(others = []) {
  const projects = [...packages, ...others]
  if (isBuilt(projects)) return
  const progress = showProgress(canCompile ? 'Building' : 'Preparing')
  await build(projects, progress).catch((error) => {
    progress.end()
    console.error(`The build failed: ${error.message}`)
    process.exit(1)
  })
  progress.done(canCompile ? 'Built' : 'Prepared')
}

function isBuilt(projects) {
  return (
    projects.every(isCompiled) &&
    existsSync(`${root}packages/sdk/dist/browser`) &&
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
