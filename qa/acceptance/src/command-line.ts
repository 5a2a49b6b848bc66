import { parseArgs } from 'node:util'
import type { RunOptions } from './run.js'

export const usage = `npm run acceptance -- [options]: looks from outside whether a running deployment does what it should

  --url <address>        where users reach it, else $PARLEY_URL
  --org <id>             an organization, else $PARLEY_ORG_ID
  --key <key>            an API key of it, else $PARLEY_API_KEY (which, unlike an option, no list of processes shows)
  --ca <file>            certificates to trust besides the usual ones, in PEM
  --connection <id>      the connection to talk through (the built-in engine where there is one, else the default)
  --without-models       ask no model: nothing is spent
  --only <name,…>        these groups, or checks with this in their title; --list has them
  --strict               a check that is skipped counts as failed
  --file-bytes <n>       the largest file that the deployment takes (20971520)
  --frame-bytes <n>      the largest message of a session (65536)
  --max-seconds <n>      the whole run ends by then (600)
  --json <file>          the report as JSON
  --junit <file>         the report as JUnit
  --list                 print the checks and what each needs
  --help                 print this

Safe on a service with real data. Created resources carry the name of the run and are removed at the end, even after a failure or
Ctrl-C. Only audit records, usage and records of ended sessions remain. A key with all scopes enables most checks.
Exit code: 0 if all checks passed, 1 if a check failed or a resource was left behind, 2 if the command line is invalid.
`

export interface AcceptanceOptions extends RunOptions {
  readonly caFile: string | null
  readonly isStrict: boolean
  readonly jsonFile: string | null
  readonly junitFile: string | null
}

export type Command =
  | { readonly kind: 'run'; readonly options: AcceptanceOptions }
  | { readonly kind: 'list' | 'help' }
  | { readonly kind: 'usage-error'; readonly message: string }

const text = { type: 'string' } as const
const truth = { type: 'boolean', default: false } as const
const flags = {
  url: text,
  org: text,
  key: text,
  ca: text,
  connection: text,
  'without-models': truth,
  only: text,
  strict: truth,
  'file-bytes': { ...text, default: '20971520' },
  'frame-bytes': { ...text, default: '65536' },
  'max-seconds': { ...text, default: '600' },
  json: text,
  junit: text,
  list: truth,
  help: truth,
} as const

export type Environment = Readonly<Record<string, string | undefined>>

/** The parsed command line, with all of its errors at once. */
export function readCommand(args: readonly string[], env: Environment): Command {
  const parsed = parse(args)
  if (!parsed.ok) return { kind: 'usage-error', message: parsed.message }
  const { values } = parsed
  if (values.help) return { kind: 'help' }
  if (values.list) return { kind: 'list' }
  const errors: string[] = []
  const required = (name: string, value: string | undefined, variable: string) => {
    if (value === undefined || value === '') errors.push(`--${name} is required, or $${variable} must be set`)
    return value ?? ''
  }
  const positive = (name: string, value: string) => {
    const number = Number(value)
    if (!Number.isInteger(number) || number < 1)
      errors.push(`--${name} must be a whole number above 0: ${value}`)
    return number
  }
  const url = required('url', values.url ?? env.PARLEY_URL, 'PARLEY_URL').replace(/\/+$/, '')
  if (url !== '' && !isHttpAddress(url)) errors.push(`--url must be an HTTP address: ${url}`)
  const options: AcceptanceOptions = {
    url,
    organizationId: required('org', values.org ?? env.PARLEY_ORG_ID, 'PARLEY_ORG_ID'),
    apiKey: required('key', values.key ?? env.PARLEY_API_KEY, 'PARLEY_API_KEY'),
    connectionId: values.connection ?? null,
    only: values.only?.split(',').filter((name) => name !== '') ?? [],
    isWithoutModels: values['without-models'],
    fileBytes: positive('file-bytes', values['file-bytes']),
    frameBytes: positive('frame-bytes', values['frame-bytes']),
    maxSeconds: positive('max-seconds', values['max-seconds']),
    caFile: values.ca ?? null,
    isStrict: values.strict,
    jsonFile: values.json ?? null,
    junitFile: values.junit ?? null,
  }
  return errors.length > 0 ? { kind: 'usage-error', message: errors.join('\n') } : { kind: 'run', options }
}

function parse(args: readonly string[]) {
  try {
    return { ok: true as const, ...parseArgs({ args: [...args], options: flags }) }
  } catch (error) {
    return { ok: false as const, message: error instanceof Error ? error.message : String(error) }
  }
}

function isHttpAddress(address: string): boolean {
  try {
    return /^https?:$/.test(new URL(address).protocol)
  } catch {
    return false
  }
}
