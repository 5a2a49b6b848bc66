// `npm start`: builds what is not built, then becomes `parley start`.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const packages = ['contract', 'engine', 'server', 'sdk']

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
  const hasTemplate = () => readdirSync(`${root}server/dist`).some(isTemplate)
  return packages.every(isCompiled) && existsSync(`${root}sdk/dist/browser`) && hasTemplate()
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
