import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseUrl } from '@parley/contract/parse-url'

/** In the form of the other commands' help. */
export const usage = `Usage: parley talk [options]

Talk to an agent in this terminal (same as npm run talk)

Options:
  --say <text>         Speak this text to the agent, print the answer and exit
  --wav <file>         Send a recording (16-bit PCM, any rate) and exit
  --save <file>        Save the agent's speech as a WAV file
  --agent <agent>      Name or ID of the agent; defaults to "Front desk", or to
                       the first agent
  --conversation <id>  Continue an earlier conversation
  --yes                Approve every tool call that needs approval
  --url <address>      Address of the service; defaults to $PARLEY_URL, or to
                       $HOST and $PORT
  --org <id>           Organization ID; defaults to $PARLEY_ORG_ID
  --key <key>          API key; defaults to $PARLEY_API_KEY
  -h, --help           Print help

Without --say and --wav, type one message per line. Press Ctrl-D or type "exit" to leave.
`

/** The source of a spoken turn. */
export type Speech =
  | { readonly kind: 'say'; readonly words: string }
  | { readonly kind: 'wav'; readonly path: string }

export const defaultUrl = 'http://127.0.0.1:8080'

export interface TalkOptions {
  readonly url: string
  readonly organizationId: string
  readonly apiKey: string
  /** A name or id. `null` means the example agent. */
  readonly agent: string | null
  readonly conversationId: string | null
  /** `null` means typed input. */
  readonly speech: Speech | null
  readonly savePath: string | null
  readonly isApprovingAll: boolean
}

export type Command =
  | { readonly kind: 'talk'; readonly options: TalkOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'usage-error'; readonly message: string }

const text = { type: 'string' } as const
const truth = { type: 'boolean' } as const
const flags = {
  say: text,
  wav: text,
  save: text,
  agent: text,
  conversation: text,
  yes: truth,
  url: text,
  org: text,
  key: text,
  help: { type: 'boolean', short: 'h' },
} as const

type Environment = Readonly<Record<string, string | undefined>>
type Values = ReturnType<typeof parseArgs<{ options: typeof flags }>>['values']

export function readCommand(args: readonly string[], environment: Environment): Command {
  try {
    const { values } = parseArgs({ args: [...args], options: flags })
    return values.help === true ? { kind: 'help' } : commandOf(values, environment)
  } catch (error) {
    return usageError(
      `${error instanceof Error ? error.message : String(error)} Run parley talk --help for usage.`,
    )
  }
}

/** The default address of a service with the same settings. */
function localUrl({ HOST, PORT }: Environment): string {
  const { hostname, port } = new URL(defaultUrl)
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': hostname, '::': '::1' }
  const host = HOST ? (everywhere[HOST] ?? HOST) : hostname
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT || port}`
}

function commandOf(values: Values, environment: Environment): Command {
  const organizationId = values.org ?? (environment.PARLEY_ORG_ID || environment.ORG || '')
  const apiKey = values.key ?? (environment.PARLEY_API_KEY || environment.KEY || '')
  if (organizationId === '' || apiKey === '')
    return usageError(
      'Credentials are missing. Set PARLEY_ORG_ID and PARLEY_API_KEY to your organization ID and API key, or pass --org and --key.',
    )
  const url = webAddress(values.url ?? (environment.PARLEY_URL || localUrl(environment)))
  if (url === null) return usageError('--url or PARLEY_URL must start with http:// or https://.')
  if (values.say !== undefined && values.wav !== undefined)
    return usageError('Pass either --say or --wav, not both.')
  if (values.say?.trim() === '') return usageError('--say needs text to speak.')
  return {
    kind: 'talk',
    options: {
      url,
      organizationId,
      apiKey,
      agent: values.agent ?? null,
      conversationId: values.conversation ?? null,
      speech: speechOf(values, environment),
      savePath: values.save === undefined ? null : pathOf(values.save, environment),
      isApprovingAll: values.yes === true,
    },
  }
}

function speechOf(values: Values, environment: Environment): Speech | null {
  if (values.say !== undefined) return { kind: 'say', words: values.say }
  if (values.wav !== undefined) return { kind: 'wav', path: pathOf(values.wav, environment) }
  return null
}

/** npm runs scripts in the package's folder, but paths are relative to the user's folder. */
function pathOf(value: string, environment: Environment): string {
  return resolve(environment.INIT_CWD ?? '.', value)
}

/** Removes the trailing slash. Returns null if the URL is invalid. */
function webAddress(value: string): string | null {
  return parseUrl(value) !== null && /^https?:\/\//i.test(value) ? value.replace(/\/+$/, '') : null
}

function usageError(message: string): Command {
  return { kind: 'usage-error', message }
}
