import { readFile, writeFile } from 'node:fs/promises'
import { agentsFileSchemaPath, parseUrl } from '@parley/contract'
import { ApiError, Parley } from '@parley/sdk'
import { exitCodes, failureOf, type Output, UsageError } from '@parley/terminal'
import { type AppliedChange, applyPlan, requireSamePlan } from './apply-plan.js'
import { readDesiredState } from './desired-state.js'
import type { Environment, Variables } from './environment-values.js'
import { exportFile } from './export-files.js'
import { makePlan, type ReadyPlan } from './make-plan.js'
import { describePlan, Plan } from './plan.js'
import { FileErrors } from './yaml-file.js'

/** The service and the credentials. Options that are missing are taken from the environment. */
export interface ServiceOptions {
  readonly json?: boolean
  readonly url?: string
  readonly org?: string
  readonly key?: string
}

export interface FilesOptions extends ServiceOptions {
  /** Environment variables that any field may use. */
  readonly env?: readonly string[]
  readonly prune?: boolean
  readonly takeOver?: boolean
}

export interface FilesContext {
  readonly output: Output
  readonly env: Environment
}

/** The exit code of `parley plan` if there are changes. */
const changesPlanned = 2

export async function runExport(
  { output, env }: FilesContext,
  { out, set, ...options }: ServiceOptions & { readonly out?: string; readonly set: string },
): Promise<void> {
  const { parley, url } = connect(options, env)
  const text = await exportFile(parley, { set, schemaUrl: `${url}${agentsFileSchemaPath}` })
  if (out === undefined) {
    output.file(text)
    return
  }
  await writeFile(out, text, { flag: 'wx' }).catch((error: unknown) => {
    throw isTaken(error) ? new UsageError(`${out} already exists and is not overwritten.`) : error
  })
  const variables = [...new Set([...text.matchAll(/(?<!\$)\$\{env:(\w+)\}/g)].map(([, name]) => name))].sort()
  output.result({ out, variables }, () => [
    `Written to ${out}.`,
    ...(variables.length > 0
      ? [`Secrets are not in the file. Set these variables before you apply it: ${variables.join(', ')}`]
      : []),
  ])
}

export async function runPlan(
  context: FilesContext,
  paths: readonly string[],
  { out, ...options }: FilesOptions & { readonly out?: string },
): Promise<number> {
  const { output } = context
  const { plan } = (await prepare(context, paths, options)).ready
  if (out !== undefined) await writeFile(out, `${JSON.stringify(plan, null, 2)}\n`)
  output.result(plan, () => describePlan(plan, output.style))
  return plan.changes.length === 0 ? exitCodes.fine : changesPlanned
}

export async function runApply(
  context: FilesContext,
  paths: readonly string[],
  {
    plan: planPath,
    secretsOut,
    ...options
  }: FilesOptions & { readonly plan?: string; readonly secretsOut?: string },
): Promise<void> {
  const { output } = context
  const saved = planPath === undefined ? null : await readPlan(planPath)
  const { parley, ready } = await prepare(context, paths, options)
  if (saved !== null) requireSamePlan(saved, ready.plan)
  const applied: AppliedChange[] = []
  try {
    await applyPlan(parley, ready, (change) => applied.push(change))
  } finally {
    await keepSecrets(applied, secretsOut)
    const shown = applied.map(({ action, kind, externalId }) => ({ action, kind, externalId }))
    output.result({ plan: ready.plan, applied: shown }, () => [
      ...describePlan(ready.plan, output.style),
      ...(ready.plan.changes.length === 0
        ? []
        : [`Applied ${applied.length} of ${ready.plan.changes.length} changes.`]),
      ...secretNotes(applied, secretsOut),
    ])
  }
}

async function prepare(
  { env }: FilesContext,
  paths: readonly string[],
  { prune = false, takeOver = false, env: named, ...options }: FilesOptions,
): Promise<{ readonly parley: Parley; readonly ready: ReadyPlan }> {
  const { parley, url, organizationId } = connect(options, env)
  const desired = await readDesiredState(paths, variablesOf(env, { named, key: options.key }))
  const request = { url, organizationId, desired, isPruning: prune, isTakingOver: takeOver }
  return { parley, ready: await makePlan(parley, request) }
}

/** Returns the variables that files may use if the command works with this key. */
export function variablesOf(
  environment: Environment,
  { named = [], key }: { readonly named?: readonly string[] | undefined; readonly key?: string | undefined },
): Variables {
  return { environment, named: new Set(named), ownKey: key ?? environment.KEY ?? null }
}

async function readPlan(path: string): Promise<Plan> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`Cannot read ${path}. Run parley plan --out ${path} to write a plan.`)
  })
  const parsed = Plan.safeParse(parseJson(text))
  if (!parsed.success)
    throw new UsageError(`${path} is not a plan. Run parley plan --out ${path} to write one.`)
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Appends the secrets of new webhooks to a file that only its owner can read. The service shows each secret
 * only once.
 */
async function keepSecrets(applied: readonly AppliedChange[], path: string | undefined): Promise<void> {
  const lines = applied.flatMap(({ externalId, secret }) =>
    secret === null ? [] : [`${externalId}=${secret}\n`],
  )
  if (path !== undefined && lines.length > 0)
    await writeFile(path, lines.join(''), { flag: 'a', mode: 0o600 })
}

function secretNotes(applied: readonly AppliedChange[], path: string | undefined): string[] {
  const names = applied.filter(({ secret }) => secret !== null).map(({ externalId }) => externalId)
  if (names.length === 0) return []
  return path === undefined
    ? [
        `The signing secrets of new webhooks were not kept (${names.join(', ')}). Use rotate-secret to make and show new ones.`,
      ]
    : [`The signing secrets of new webhooks are in ${path}: ${names.join(', ')}.`]
}

const defaultUrl = 'http://127.0.0.1:8080'

/** Returns a client of the service for the given organization and key. */
export function connect(options: ServiceOptions, env: Environment) {
  const url = options.url ?? (env.PARLEY_URL || defaultUrl)
  const organizationId = options.org ?? (env.PARLEY_ORG_ID || env.ORG || '')
  const apiKey = options.key ?? (env.PARLEY_API_KEY || env.KEY || '')
  if (organizationId === '' || apiKey === '')
    throw new UsageError(
      'Credentials are missing. Set PARLEY_ORG_ID and PARLEY_API_KEY to your organization ID and API key, or pass --org and --key.',
    )
  if (parseUrl(url) === null || !/^https?:\/\//i.test(url))
    throw new UsageError('--url or PARLEY_URL must start with http:// or https://.')
  const baseUrl = url.replace(/\/+$/, '')
  return { parley: new Parley({ baseUrl, organizationId, apiKey }), url: baseUrl, organizationId }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** Describes an error for people and programs: errors with their positions, and failures with advice. */
export function failureOfFiles(error: unknown): {
  readonly code: string
  /** The lines are separate, because the text quotes files and the service. */
  readonly detail: readonly string[]
  readonly exitCode: number
  readonly besides: object
} {
  if (error instanceof FileErrors)
    return {
      code: error.code,
      detail: error.lines,
      exitCode: exitCodes.failed,
      besides: { mistakes: error.errors },
    }
  const { code, detail, exitCode } = failureOf(error)
  if (!(error instanceof ApiError)) return { code, detail: [detail], exitCode, besides: {} }
  const advice = error.limit === null ? (adviceOn.get(error.status) ?? '') : ''
  return { code: error.errorCode ?? code, detail: [`${detail}${advice}`], exitCode, besides: {} }
}

const adviceOn = new Map([
  [401, ' Check that the key is correct and belongs to this service.'],
  [
    403,
    ' The key needs the scopes of every kind in the files: agent, connection, webhook and usage, each with :read and :write.',
  ],
])
