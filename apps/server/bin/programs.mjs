// What was built is there twice: compiled, file by file, in `dist`, and with all it needs put together in `bundle`, which
// loads in a third of the time. The bundle runs unless it is older than what it was made of.
import { existsSync, statSync } from 'node:fs'

const top = new URL('../../../', import.meta.url)
export const bundle = new URL('../bundle/', import.meta.url)
/** Written last: a bundle without it is not whole. */
export const bundleStamp = new URL('.made', bundle)

/** The files that change with what a bundle is made of. */
const sources = [
  ...['contract', 'embedded-database', 'sdk', 'terminal', 'agents-as-code', 'agent-tests'].map(
    (name) => `packages/${name}/dist/.tsbuildinfo`,
  ),
  'apps/server/dist/.tsbuildinfo',
  'package-lock.json',
]

export function isBundleCurrent() {
  if (!existsSync(bundleStamp)) return false
  const { mtimeMs: made } = statSync(bundleStamp)
  return sources
    .map((file) => new URL(file, top))
    .every((file) => !existsSync(file) || statSync(file).mtimeMs <= made)
}

/** A program of the server: `main` or `parley`. */
export function findProgram(name) {
  return new URL(`${name}.js`, isBundleCurrent() ? bundle : new URL('../dist/', import.meta.url))
}
