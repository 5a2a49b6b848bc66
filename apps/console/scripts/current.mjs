// Checks whether the built console is newer than its sources.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

export function isConsoleCurrent() {
  if (!existsSync(at('dist/index.html'))) return false
  const sources = [
    ...['src', '../sdk/dist'].flatMap(filesIn),
    ...['index.html', 'vite.config.ts', 'package.json'].map(at).filter((path) => existsSync(path)),
  ]
  const built = statSync(at('dist/index.html')).mtimeMs
  return sources.every((path) => statSync(path).mtimeMs <= built)
}

function filesIn(folder) {
  if (!existsSync(at(folder))) return []
  return readdirSync(at(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:jsx?|tsx?|css)$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
}
