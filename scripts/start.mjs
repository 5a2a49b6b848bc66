// `npm start`: builds what is not built, then becomes `parley start`.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isBundleCurrent } from '../server/bin/programs.mjs'
import { build } from './build.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const packages = ['contract', 'engine', 'server']

if (!isBuilt()) {
  console.log('Building (only after a change) …')
  await build(packages).catch((error) => {
    console.error(`The build failed: ${error.message}`)
    process.exit(1)
  })
}
process.argv.splice(2, process.argv.length, 'start', ...process.argv.slice(2))
await import('../server/bin/parley.mjs')

function isBuilt() {
  return packages.every(isCompiled) && readdirSync(`${root}server/dist`).some(isTemplate) && isBundleCurrent()
}

function isCompiled(name) {
  const stamp = `${root}${name}/dist/.tsbuildinfo`
  return existsSync(stamp) && newest(`${root}${name}/src`) <= statSync(stamp).mtimeMs
}

function isTemplate(name) {
  return /^embedded-template-\d/.test(name)
}

function newest(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(`${entry.parentPath}/${entry.name}`).mtimeMs), 0)
}
