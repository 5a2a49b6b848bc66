import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chartFolder, chartTemplates, manifestsHeader, manifestsPath } from '../support/deploy/chart.js'
import { readTop, readYaml, top, valueAt } from '../support/deploy/deploy-files.js'
import { deployPrograms } from '../support/deploy/deploy-programs.js'
import { testCertificate } from '../support/outbound/test-certificate.js'
import { findInstallation } from '../support/services/programs/find-installation.js'
import { commandIn } from '../support/services/programs/installation.js'

/*
 * Checks the deployment files with the programs that use them. Missing programs are downloaded, 120 MB in
 * total, so this check is not part of `npm test`.
 */
const patiently = { timeout: 600_000 }

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-deploy-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs one of the programs. Returns whether it succeeded, and its whole output. */
async function run(
  name: keyof typeof deployPrograms,
  args: readonly string[],
  options: {
    readonly cwd?: string
    readonly env?: (program: string) => Promise<Record<string, string>>
  } = {},
): Promise<{ readonly ok: boolean; readonly said: string }> {
  const wanted = deployPrograms[name]
  const { installation } = await findInstallation(wanted, () => undefined)
  const { command, environment } = commandIn(installation, [wanted.probe, ...args])
  const [program = '', ...rest] = command
  const path = installation.kind === 'folders' ? join(installation.programs, wanted.probe) : program
  const env = { ...process.env, ...environment, ...(await options.env?.(path)) }
  return promisify(execFile)(path, rest, { env, cwd: options.cwd ?? folder }).then(
    ({ stdout, stderr }) => ({ ok: true, said: `${stdout}${stderr}` }),
    (error: { stdout?: string; stderr?: string }) => ({
      ok: false,
      said: `${error.stdout}${error.stderr}` || String(error),
    }),
  )
}

test('nginx accepts its example configuration', patiently, async () => {
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  await writeFile(certificate, testCertificate.cert)
  await writeFile(key, testCertificate.key)
  const example = readTop('deploy/nginx/parley.conf').replaceAll('/etc/ssl/parley', folder)
  const logs = `access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p;`
  const unused = ['fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  const whole = `pid ${folder}/pid; events {} http { ${logs} ${unused}\n${example}\n}`
  const check = async (text: string) => {
    const file = join(folder, 'nginx.conf')
    await writeFile(file, text)
    return run('nginx', ['-t', '-e', 'stderr', '-p', folder, '-c', file])
  }
  const { ok, said } = await check(whole)
  expect(ok, said).toBe(true)
  expect(said).not.toMatch(/\[(?:warn|emerg|alert)\]/)
  expect(await check(whole.replace('proxy_buffering', 'proxy_bufering'))).toMatchObject({ ok: false })
})

test('Caddy accepts its example configuration', patiently, async () => {
  const check = async (text: string) => {
    const file = join(folder, 'Caddyfile')
    await writeFile(file, text)
    const env = async () => ({ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder })
    return run('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'], { env })
  }
  const example = readTop('deploy/caddy/Caddyfile')
  const { ok, said } = await check(example)
  expect(ok, said).toBe(true)
  expect(said).not.toContain('not formatted')
  expect(await check(example.replace('lb_policy', 'lb_polic'))).toMatchObject({ ok: false })
})

test(
  'Prometheus accepts its configuration and its rules, and the alerts fire when they should',
  patiently,
  async () => {
    await cp(join(top, 'deploy/prometheus'), folder, { recursive: true })
    for (const args of [
      ['check', 'config', 'prometheus.yaml'],
      ['check', 'rules', '--lint-fatal', 'alerts.yaml'],
      ['test', 'rules', 'alerts.test.yaml'],
    ]) {
      const { ok, said } = await run('promtool', args)
      expect(ok, said).toBe(true)
    }
  },
)

test('systemd accepts every key of the unit and restricts the service', patiently, async () => {
  const file = join(folder, 'parley.service')
  const text = readTop('deploy/systemd/parley.service').replace('/usr/bin/node', process.execPath)
  await writeFile(file, text)
  // systemd-analyze exits with 0 even if it reports problems.
  expect(await run('systemdAnalyze', ['verify', '--man=no', file])).toEqual({ ok: true, said: '' })
  await writeFile(file, text.replace('ProtectHome', 'ProtectHouse'))
  expect((await run('systemdAnalyze', ['verify', '--man=no', file])).said).toContain('ProtectHouse')
  await writeFile(file, text)
  const rated = await run('systemdAnalyze', ['security', '--offline=true', '--threshold=25', file])
  expect(rated.ok, rated.said).toBe(true)
})

test('the chart renders to the plain manifests', patiently, async () => {
  const [values] = readYaml(`${chartFolder}/values.yaml`)
  const [chart] = readYaml(`${chartFolder}/Chart.yaml`)
  const data = {
    Values: values,
    Release: { Name: 'parley', Namespace: 'parley', Service: 'Helm' },
    Chart: { AppVersion: valueAt(chart, 'appVersion') },
  }
  const render = async (given: unknown) => {
    await writeFile(join(folder, 'data.json'), JSON.stringify(given))
    await mkdir(join(folder, 'go'), { recursive: true })
    const source = join(top, 'apps/server/test/support/deploy/render-chart/main.go')
    const templates = chartTemplates().map((path) => join(top, path))
    return run('go', ['run', source, join(folder, 'data.json'), ...templates], {
      env: async (program) => ({
        GOROOT: dirname(dirname(await realpath(program))),
        GOCACHE: join(tmpdir(), `parley-go-cache-${process.getuid?.() ?? 0}`),
        GOPATH: join(folder, 'go'),
        GO111MODULE: 'off',
        GOFLAGS: '',
        GOTOOLCHAIN: 'local',
      }),
    })
  }
  const { ok, said } = await render(data)
  expect(ok, said).toBe(true)
  const objects = said.split(/^---\n/m).filter((text) => text.trim() !== '')
  const rendered = `${manifestsHeader()}${objects.map((text) => `---\n${text.trim()}\n`).join('')}`
  await expect(rendered).toMatchFileSnapshot(join(top, manifestsPath))

  const { autoscaling, ingress, networkPolicy } = values as Record<string, object>
  const others = {
    autoscaling: { ...autoscaling, enabled: false },
    ingress: { ...ingress, enabled: true },
    networkPolicy: { ...networkPolicy, enabled: false },
  }
  const other = await render({ ...data, Values: { ...(values as object), ...others } })
  expect(other.ok, other.said).toBe(true)
  expect(other.said).toContain('kind: Ingress')
  expect(other.said).toMatch(/^ {2}replicas: 2$/m)
  expect(other.said).not.toMatch(/kind: (?:HorizontalPodAutoscaler|NetworkPolicy)/)
  const withSip = { ...(values as object), networkPolicy: { ...networkPolicy, sip: true } }
  const telephone = await render({ ...data, Values: withSip })
  expect(telephone.said).toMatch(/endPort: 65535\n +protocol: UDP\n/)
})
