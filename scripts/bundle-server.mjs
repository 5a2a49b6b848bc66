// Bundles the service and its packages into the files of `apps/server/bundle`. apps/server/bin/programs.mjs explains
// why.
import { rm, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, bundleStamp, isBundleCurrent } from '../apps/server/bin/programs.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = fileURLToPath(bundle)

/** These packages load files of their own, or are loaded only on demand. */
const external = [
  /^@electric-sql\/pglite/,
  /^@node-rs\/argon2/,
  /^@parley\/engine/,
  /^@parley\/demo-model/,
  /^bufferutil/,
  /^pg-native/,
]

export async function bundleServer() {
  if (isBundleCurrent()) return
  const { rolldown } = await import('rolldown')
  await rm(folder, { recursive: true, force: true })
  const build = await rolldown({
    input: { main: `${root}apps/server/dist/main.js`, parley: `${root}apps/server/dist/parley.js` },
    platform: 'node',
    external,
    plugins: [{ name: 'own-address', transform: keepOwnAddress }],
    transform: { define: { __dirname: 'import.meta.dirname' } },
    // Optional dependencies that packages probe for.
    onwarn: () => undefined,
  })
  await build.write({ dir: folder, format: 'esm' })
  await writeFile(bundleStamp, '')
}

/**
 * Programs and files next to a module are resolved relative to its compiled location. Files directly in `dist` are at
 * the bundle's depth.
 */
function keepOwnAddress(code, id) {
  const isOwn = /^(?:packages\/(?:contract|embedded-database|telephone)|apps\/server)\/dist\//.test(
    relative(root, id),
  )
  if (!isOwn || dirname(id) === `${root}apps/server/dist`) return null
  const address = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`
  return { code: code.replaceAll('import.meta.url', address) }
}
