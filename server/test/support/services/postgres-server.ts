import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { directoriesWith, searchPath } from './find-program.js'
import { findFreePort } from './free-port.js'
import { startSupervised, type TestService } from './supervised-service.js'

/** Debian keeps the programs of each major version here, outside PATH. */
const versionsDirectory = '/usr/lib/postgresql'

/*
 * Nothing in this server outlives the run, so durability is traded for speed and space. Autovacuum is off
 * because its workers sit in the template databases that are about to be cloned.
 */
const startScript = `
initdb=$1/initdb postgres=$1/postgres port=$2
"$initdb" --pgdata data --username postgres --auth trust --encoding UTF8 --locale C.UTF-8 --no-sync || exit
exec "$postgres" -D data -p "$port" -h 127.0.0.1 -k "$PWD" \
  -c max_connections=200 -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
  -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=64MB -c autovacuum=off
`

/** Starts a PostgreSQL server; its URL is that of the superuser in the maintenance database. */
export async function startPostgresServer(): Promise<TestService> {
  const programs = await findNewestPrograms()
  const port = await findFreePort()
  const user = process.getuid?.() === 0 ? await findUnprivilegedUser() : undefined
  const stop = await startSupervised({
    name: 'postgres',
    command: ['sh', '-c', startScript, 'sh', programs, String(port)],
    readyLine: /database system is ready to accept connections/,
    ...(user && { user }),
  })
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop }
}

async function findNewestPrograms(): Promise<string> {
  const packaged = await readdir(versionsDirectory).catch(() => [])
  const directories = await directoriesWith(
    ['initdb', 'postgres'],
    [...searchPath(), ...packaged.map((version) => join(versionsDirectory, version, 'bin'))],
  )
  const versions = await Promise.all(directories.map(readMajorVersion))
  const newest = directories[versions.indexOf(Math.max(...versions))]
  if (newest !== undefined) return newest
  throw new Error(
    'PostgreSQL is not installed: apt-get install postgresql, or set PARLEY_TEST_POSTGRES_URL to a superuser URL.',
  )
}

async function readMajorVersion(directory: string): Promise<number> {
  const { stdout } = await promisify(execFile)(join(directory, 'postgres'), ['--version'])
  return Number(/\d+/.exec(stdout)?.[0])
}

/** PostgreSQL refuses to run as root. */
async function findUnprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find(([candidate]) => candidate === name)
    if (account) return { uid: Number(account[2]), gid: Number(account[3]) }
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as.')
}
