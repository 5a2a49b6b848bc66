// Builds the console into dist, where that is older than what it is made of. `--sizes` prints what a browser loads, gzipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { at, isConsoleCurrent } from './current.mjs'

if (!isConsoleCurrent()) await buildConsole()
if (process.argv.includes('--sizes')) printSizes()

/** In one step: a service or a test may be reading the files. */
async function buildConsole() {
  // Whatever the caller's shell has set: what is built is what people are served.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const [unfinished, outdated] = [at(`dist.${process.pid}`), at(`dist.old.${process.pid}`)]
  await build({
    root: at(''),
    configFile: at('vite.config.ts'),
    logLevel: 'error',
    build: { outDir: unfinished },
  })
  if (existsSync(at('dist'))) await rename(at('dist'), outdated)
  await rename(unfinished, at('dist'))
  await rm(outdated, { recursive: true, force: true })
}

/** What the page names itself is loaded before anything is seen; the rest when it is needed. */
function printSizes() {
  const page = readFileSync(at('dist/index.html'), 'utf8')
  const sizes = readdirSync(at('dist/assets')).map((name) => ({
    name,
    bytes: gzipSync(readFileSync(at(`dist/assets/${name}`)), { level: 9 }).length,
    isInitial: page.includes(name),
  }))
  for (const { name, bytes, isInitial } of sizes.toSorted((one, other) => other.bytes - one.bytes))
    process.stdout.write(`${isInitial ? 'initial' : 'later  '} ${String(bytes).padStart(7)} ${name}\n`)
}
