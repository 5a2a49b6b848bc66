import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '#server/config/config.js'
import { settings } from '#server/config/settings.js'
import {
  deployFiles,
  readAssignments,
  readTop,
  readYaml,
  top,
  valueAt,
  valuesAt,
} from '../support/deploy/deploy-files.js'

const [compose] = readYaml('deploy/compose/compose.yaml')
const [values] = readYaml('deploy/helm/parley/values.yaml')
const dockerfile = readTop('deploy/docker/Dockerfile')
const unit = readTop('deploy/systemd/parley.service')
const nginx = readTop('deploy/nginx/parley.conf')
const caddy = readTop('deploy/caddy/Caddyfile')

const secret = 'a secret for tests that is long enough'
const needed = { DATABASE_URL: 'postgres://parley:secret@postgres:5432/parley', PARLEY_SECRET: secret }

/** The settings of an image, which every container starts with. */
const ofImage = Object.fromEntries(
  [...dockerfile.matchAll(/^(?:ENV| {3}) ([A-Z_]+)=(\S+)/gm)]
    .map(([, name = '', value = '']) => [name, value])
    .filter(([name]) => name !== 'NODE_ENV'),
)

/** The value that Compose uses for a variable that is not set. */
const withDefaults = (text: string) =>
  text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll(/\$\{\w+:\?[^}]*\}/g, encodeURIComponent(secret))

const ofCompose = Object.entries(
  valueAt(compose, 'services', 'parley', 'environment') as Record<string, unknown>,
).map(([name, value]) => [name, withDefaults(String(value))])

const environments: Record<string, Record<string, string>> = {
  'the image': ofImage,
  'the Compose file': { ...ofImage, ...Object.fromEntries(ofCompose) },
  'the Helm chart': { ...ofImage, ...needed, ...(valueAt(values, 'settings') as Record<string, string>) },
  'the systemd unit': readAssignments('deploy/systemd/parley.env'),
  'the systemd unit with PostgreSQL': {
    ...readAssignments('deploy/systemd/parley.env', { all: true }),
    PARLEY_SECRET: secret,
  },
}

describe('settings in the deployment files [DEPLOY-1]', () => {
  test.each(Object.entries(environments))('the service starts with the settings of %s', (_, env) => {
    expect(Object.keys(env).filter((name) => !(name in settings))).toEqual([])
    expect(parseConfig(env)).toMatchObject({ ok: true })
  })

  test.each(deployFiles())('every setting that %s names exists', (path) => {
    const named = readTop(path).match(/\bPARLEY_[A-Z_]*[A-Z]\b/g) ?? []
    expect(named.filter((name) => !(name in settings))).toEqual([])
  })
})

describe('the drain time [DEPLOY-3]', () => {
  const ofConfig = (env: Record<string, string>) => {
    const parsed = parseConfig(env)
    if (!parsed.ok) throw new Error(parsed.errors.join('\n'))
    return parsed.config.drainSeconds
  }
  /** Sessions that end at the deadline still have their last words stored. */
  const closing = 10

  test('fits into the stop grace period of Compose', () => {
    const grace = Number.parseInt(String(valueAt(compose, 'services', 'parley', 'stop_grace_period')), 10)
    expect(grace).toBeGreaterThanOrEqual(ofConfig(environments['the Compose file'] ?? {}) + closing)
  })

  test('fits into the stop timeout of systemd, which signals only the main process', () => {
    const grace = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
    expect(grace).toBeGreaterThanOrEqual(ofConfig(environments['the systemd unit'] ?? {}) + closing)
    expect(unit).toMatch(/^KillMode=mixed$/m)
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/m)
  })

  test('systemd restarts the service after every failure, however often it ends [OPS-13]', () => {
    expect(unit).toMatch(/^Restart=on-failure$/m)
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
  })
})

describe('the container image [DEPLOY-4]', () => {
  test('has only instructions that Docker knows', () => {
    expect(validate(dockerfile)).toEqual([])
  })

  test('copies only existing paths and includes every workspace package', () => {
    const built = new Set(['dist', 'bundle', 'node_modules'])
    const copied = [...dockerfile.matchAll(/^COPY (?:--from=\w+ )?(.+) \S+$/gm)]
      .flatMap(([, sources = '']) => sources.split(' '))
      .map((path) => path.replace(/^\/parley\/?/, ''))
      .filter((path) => !path.startsWith('/'))
    const missing = copied.filter(
      (path) => !path.split('/').some((part) => built.has(part)) && !existsSync(join(top, path)),
    )
    expect(missing).toEqual([])
    const { workspaces } = JSON.parse(readTop('package.json')) as { workspaces: string[] }
    expect(copied).toEqual(expect.arrayContaining(workspaces.map((name) => `${name}/package.json`)))
    // Files that other packages import from them besides the compiled ones.
    const offered = ['packages/contract', 'packages/engine', 'packages/sdk', 'apps/console'].flatMap(
      (name) => {
        const { exports = {} } = JSON.parse(readTop(`${name}/package.json`)) as { exports?: object }
        return [...JSON.stringify(exports).matchAll(/"\.\/([^"*]+\.json)"(?!:)/g)].map(
          ([, path]) => `${name}/${path}`,
        )
      },
    )
    expect(offered).toContain('packages/contract/openapi.json')
    expect(copied).toEqual(expect.arrayContaining(offered))
  })

  test('has a health check on an existing path and runs as an unprivileged user', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK[^\n]*\\\n.*\/healthz/m)
    expect(dockerfile.lastIndexOf('\nUSER node\n')).toBeGreaterThan(dockerfile.lastIndexOf('\nFROM '))
  })
})

test('the Ingress retries the next pod in the same cases as nginx retries the next instance [DEPLOY-10]', () => {
  const ingress = readTop('deploy/helm/parley/templates/ingress.yaml')
  const [, conditions] = /proxy_next_upstream +(.+);/.exec(nginx) ?? []
  expect(ingress).toContain(`ingress.kubernetes.io/proxy-next-upstream: ${conditions}\n`)
})

test('the Compose file has only keys that Compose knows [DEPLOY-4]', () => {
  const styleRules = [
    'no-version-field',
    'require-project-name-field',
    'service-dependencies-alphabetical-order',
    'service-image-require-explicit-tag',
    'service-keys-order',
    'service-ports-alphabetical-order',
    'services-alphabetical-order',
    'top-level-properties-order',
    'no-build-and-image',
    'require-quotes-in-ports',
    'service-container-name-regex',
  ]
  const linter = new DCLinter({
    rules: Object.fromEntries(styleRules.map((name) => [name, 0])),
    quiet: true,
    debug: false,
    exclude: [],
  })
  const found = linter.lintFiles([join(top, 'deploy/compose/compose.yaml')], false)
  expect(found.flatMap(({ messages }: { readonly messages: readonly unknown[] }) => messages)).toEqual([])
})

describe('the reverse proxies [DEPLOY-5]', () => {
  const parsed = parseConfig({})
  if (!parsed.ok) throw new Error('the defaults are wrong')
  const fileBytes = parsed.config.maxFileBytes + 64 * 1024
  const megabytes = (text: string | undefined) => Number(text) * 1024 ** 2

  test('accept request bodies as large as the service accepts', () => {
    const [json, file] = [...nginx.matchAll(/client_max_body_size\s+(\d+)m;/g)].map(([, size]) => size)
    expect(megabytes(json)).toBeGreaterThan(1024 ** 2)
    expect(megabytes(file)).toBeGreaterThan(fileBytes)
    expect(megabytes(/max_size (\d+)MiB/.exec(caddy)?.[1])).toBeGreaterThan(fileBytes)
    const [ingress] = [/proxy-body-size: (\d+)m/.exec(readTop('deploy/helm/parley/templates/ingress.yaml'))]
    expect(megabytes(ingress?.[1])).toBeGreaterThan(fileBytes)
  })

  test('pass on sockets and events without buffering, and keep /metrics internal', () => {
    expect(nginx).toMatch(/proxy_set_header Upgrade +\$http_upgrade;/)
    expect(nginx).toMatch(/realtime\$ \{[^}]*proxy_buffering +off;/)
    expect(nginx).toMatch(/location = \/metrics \{\s*return 404;/)
    expect(caddy).toMatch(/flush_interval -1/)
    expect(caddy).toMatch(/respond \/metrics 404/)
  })

  test('wait longer for a response than a model step may take', () => {
    const seconds = [
      ...nginx.matchAll(/proxy_read_timeout +(\d+)s;/g),
      ...caddy.matchAll(/response_header_timeout (\d+)s/g),
    ].map(([, value]) => Number(value))
    expect(seconds.toSorted((one, other) => one - other)).toEqual([75, 600, 600])
    expect(parsed.config.chatTimeoutSeconds * 2).toBeLessThan(600)
  })
})

test('packages come from the registry that the installer has configured and run no install scripts [DEPLOY-6]', () => {
  const lock = JSON.parse(readTop('package-lock.json')) as {
    packages: Record<string, { resolved?: string; link?: boolean; hasInstallScript?: boolean; name?: string }>
  }
  const entries = Object.entries(lock.packages)
  expect(entries.filter(([, { resolved, link }]) => resolved !== undefined && !link)).toEqual([])
  const { allowScripts } = JSON.parse(readTop('package.json')) as { allowScripts: Record<string, boolean> }
  const withScript = entries
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(withScript.filter((name) => allowScripts[name] !== false)).toEqual([])
})

test('the runbook has one section for each alert [WATCH-6]', () => {
  const alerts = readYaml('deploy/prometheus/alerts.yaml').flatMap((document) =>
    valuesAt(document, 'groups', '*', 'rules', '*', 'alert'),
  )
  const headings = [...readTop('docs/reference/runbook.md').matchAll(/^## (.+)$/gm)].map(
    ([, heading]) => heading,
  )
  expect(alerts.length).toBeGreaterThan(15)
  expect(headings).toEqual(alerts)
})
