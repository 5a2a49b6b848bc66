import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartFolder, chartTemplates, manifestsHeader, manifestsPath } from '../support/deploy/chart.js'
import { readTop, readYaml, top, valueAt, valuesAt } from '../support/deploy/deploy-files.js'

const objects = readYaml(manifestsPath)
const [values] = readYaml(`${chartFolder}/values.yaml`)
const kindOf = (object: unknown) => String(valueAt(object, 'kind'))
const ofKind = (kind: string) => objects.find((object) => kindOf(object) === kind)

/** The npm types of Kubernetes for each kind. */
const typeOf = (object: unknown) => {
  const [group = '', version = 'v1'] = String(valueAt(object, 'apiVersion')).split('/')
  const folder = group === 'v1' ? 'core/v1' : `${group.replace('.k8s.io', '')}/${version}`
  return `import('kubernetes-types/${folder}').${kindOf(object)}`
}

let folder = ''

beforeAll(async () => {
  // Inside the repository, so that the compiler finds the types.
  folder = await mkdtemp(join(top, 'node_modules', '.parley-kubernetes-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the compiler errors for objects of the declared kinds. Each list is checked in its own file. */
async function compile(files: Readonly<Record<string, readonly unknown[]>>): Promise<readonly string[]> {
  for (const [name, claimed] of Object.entries(files)) {
    const lines = claimed.map(
      (object, index) => `export const object${index}: ${typeOf(object)} = ${JSON.stringify(object)}`,
    )
    await writeFile(join(folder, name), lines.join('\n'))
  }
  const compiler = join(top, 'node_modules/typescript/bin/tsc')
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--types', '', '--target', 'esnext']
  const found = ['--module', 'esnext', '--moduleResolution', 'bundler', ...Object.keys(files)]
  const running = promisify(execFile)(process.execPath, [compiler, ...options, ...found], { cwd: folder })
  const said = await running.then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? String(error),
  )
  return said.split('\n').filter((line) => line !== '')
}

describe('the Kubernetes manifests [DEPLOY-7]', () => {
  test('have only known fields, and the check detects an unknown field', async () => {
    const wrong = { ...(ofKind('Deployment') as object), replicaz: 2 }
    const complaints = await compile({ 'right.ts': objects, 'wrong.ts': [wrong] })
    expect(complaints).toEqual([expect.stringMatching(/^wrong\.ts.*replicaz.* does not exist/)])
  })

  test('contain every promised kind in one namespace', () => {
    expect(objects.map(kindOf).sort()).toEqual([
      'Deployment',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'ServiceAccount',
    ])
    expect(new Set(objects.map((object) => valueAt(object, 'metadata', 'namespace')))).toEqual(
      new Set(['parley']),
    )
  })

  test('probe the health endpoint and give pods time to drain before they end', () => {
    const pod = valueAt(ofKind('Deployment'), 'spec', 'template', 'spec')
    const container = valueAt(pod, 'containers', '*')
    const path = (probe: string) => valueAt(container, probe, 'httpGet', 'path')
    expect([path('startupProbe'), path('livenessProbe'), path('readinessProbe')]).toEqual([
      '/healthz',
      '/healthz',
      '/readyz',
    ])
    const seconds = (name: string) => Number(valueAt(values, name))
    expect(valueAt(pod, 'terminationGracePeriodSeconds')).toBe(
      seconds('preStopSeconds') + seconds('drainSeconds') + 15,
    )
    expect(valueAt(container, 'lifecycle', 'preStop', 'exec', 'command', '1')).toBe(
      String(seconds('preStopSeconds')),
    )
    const env = valuesAt(container, 'env', '*').map((entry) => valueAt(entry, 'name'))
    expect(env).toEqual([
      'PARLEY_DRAIN_SECONDS',
      ...Object.keys(valueAt(values, 'settings') as object).sort(),
    ])
    expect(valueAt(container, 'envFrom', '*', 'secretRef', 'name')).toBe(valueAt(values, 'secretName'))
  })
})

describe('the Helm chart [DEPLOY-8]', () => {
  test('has default values that match its schema', () => {
    const validate = new Ajv({ strict: false }).compile(
      JSON.parse(readTop(`${chartFolder}/values.schema.json`)),
    )
    expect([validate(values), validate.errors]).toEqual([true, null])
    expect(validate({ ...(values as object), settings: { PARLEY_SECRET: 'in the open' } })).toBe(false)
    expect(validate({ ...(values as object), replica: 3 })).toBe(false)
  })

  test('has the version of the service', () => {
    const [chart] = readYaml(`${chartFolder}/Chart.yaml`)
    const { version } = JSON.parse(readTop('package.json')) as { version: string }
    expect([valueAt(chart, 'appVersion'), valueAt(values, 'image', 'tag')]).toEqual([version, version])
  })

  test.each(chartTemplates())('%s uses only values that exist, in forms that were rendered', (path) => {
    const actions = [...readTop(path).matchAll(/\{\{-? (.+?) ?\}\}/g)].map(([, action = '']) => action)
    const named = actions.flatMap((action) =>
      [...action.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, names = '']) => names.slice(1)),
    )
    expect(named.filter((names) => valuesAt(values, ...names.split('.')).length === 0)).toEqual([])
  })

  test('renders to the plain manifests', () => {
    expect(readTop(manifestsPath).slice(0, manifestsHeader().length)).toBe(manifestsHeader())
  })
})
