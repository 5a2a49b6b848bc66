// Bundles each file for pages without a bundler into dist/browser, if it is older than its sources, and packs the package.
// `--sizes` prints the gzipped sizes.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { packSdk } from './pack.mjs'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const names = ['parley-agent.js', 'realtime.js', 'audio.worklet.js']
const target = (name) => at(`dist/browser/${name}`)

if (names.some(isStale)) {
  await mkdir(at('dist/browser'), { recursive: true })
  for (const name of names) await replace(target(name), await contentsOf(name))
}
await packSdk()
if (process.argv.includes('--sizes'))
  for (const name of names)
    process.stdout.write(`${name} ${gzipSync(await readFile(target(name)), { level: 9 }).length}\n`)

function isStale(name) {
  return !existsSync(target(name)) || statSync(target(name)).mtimeMs < newest()
}

function newest() {
  const compiled = readdirSync(at('dist'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js') && !path.startsWith('browser'))
    .map((path) => at(`dist/${path}`))
  const files = [...compiled, at('audio.worklet.js'), fileURLToPath(import.meta.url)]
  return Math.max(...files.map((path) => statSync(path).mtimeMs))
}

async function contentsOf(name) {
  if (name === 'audio.worklet.js') return readFile(at(name))
  // The bundler is imported on demand, because a production install has no bundler and uses files bundled
  // elsewhere.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({ input: at(`dist/hosted/${name}`), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
  await bundle.close()
  return output[0].code
}

/** Replaces the file atomically, because a service or a test may be reading it. */
async function replace(path, contents) {
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, contents)
  await rename(unfinished, path)
}
