// Builds the console into dist if its sources are newer. `--sizes` prints the gzipped size that a browser loads.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { at, isConsoleCurrent } from './current.mjs'

if (!isConsoleCurrent()) await buildConsole()
if (process.argv.includes('--sizes')) printSizes()

/** Replaces the files in one step, because a service or a test may be reading the files. */
async function buildConsole() {
  // Always a production build, whatever NODE_ENV the caller's shell sets.
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

/** Files that index.html references load first. The others load on demand. */
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
