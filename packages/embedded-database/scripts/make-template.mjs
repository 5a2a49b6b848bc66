// Makes the data directory that the embedded database is copied from at its first start. Making one takes seconds and
// much memory, so it is done once, at build, in a process of its own. Two builds at once do no harm.
import { readFileSync } from 'node:fs'
import { access, chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'

const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
const parent = fileURLToPath(new URL('../dist/', import.meta.url))
const template = `${parent}embedded-template-${version}`

if (!(await exists(template))) {
  await mkdir(parent, { recursive: true })
  const unfinished = await mkdtemp(`${parent}embedded-template-unfinished-`)
  try {
    // The same setting is in src/cluster-settings.ts.
    const database = await PGlite.create({ dataDir: unfinished, initDbStartParams: ['--wal-segsize=1'] })
    await database.close()
    await makeReadable(unfinished)
    await rename(unfinished, template)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await exists(template))) throw error
  }
} else await makeReadable(template)

/**
 * The service may run as another user than the build. PGlite makes some files readable only for their owner.
 */
async function makeReadable(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  await addMode(folder, 0o755)
  for (const entry of entries)
    await addMode(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}

/** Changes nothing if the permissions are there: only the owner of a file may change them. */
async function addMode(path, wanted) {
  const { mode } = await stat(path)
  if ((mode & wanted) !== wanted) await chmod(path, (mode & 0o777) | wanted)
}

function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  )
}
