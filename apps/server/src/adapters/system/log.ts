import { STATUS_CODES } from 'node:http'
import { concealApiKeys } from '@parley/contract'
import { type DestinationStream, type LogFn, type Logger, pino, stdSerializers } from 'pino'
import { PinoPretty } from 'pino-pretty'
import { traceIdsForLog } from './tracing.js'

/** Identifies the writer of the log. Contained in every line of JSON. */
export interface LoggingInstance {
  readonly instance: string
  readonly version: string
}

export interface LogOptions {
  readonly destination?: DestinationStream
  readonly instance?: LoggingInstance
}

/** Writes readable lines to a terminal, and JSON to everything else. A terminal shows less by default. */
export function makeLog(
  level: string,
  isTerminal: boolean,
  { destination, instance }: LogOptions = {},
): Logger {
  const options = {
    level,
    base: instance ?? null,
    mixin: traceIdsForLog,
    redact: { paths: secretPaths, censor: '[secret]' },
    // Logs `reason` as the error's message, for errors that need no stack.
    serializers: { err: errorForLog, reason: messageOf },
    hooks: { streamWrite: concealApiKeys, logMethod: writeUnlessLogged },
  }
  if (destination) return pino(options, destination)
  if (!isTerminal) return pino(options, makeLogOutput(reportClosedOutput))
  return pino(
    {
      ...options,
      hooks: {
        ...options.hooks,
        logMethod(args: Parameters<LogFn>, method: LogFn, level: number) {
          if (level === this.levels.values.info && isRoutine(args)) this.debug(...args)
          else writeUnlessLogged.call(this, formatRequest(args), method, level)
        },
      },
    },
    PinoPretty({
      ignore: 'instance,version',
      colorize: true,
      translateTime: 'SYS:HH:MM:ss',
      singleLine: true,
      sync: true,
    }),
  )
}

/**
 * A database outage causes hundreds of errors but is reported in a single line. The line of each error is
 * therefore logged at the debug level.
 */
function writeUnlessLogged(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const [fields] = args
  const { debug, fatal } = this.levels.values
  if (
    debug !== undefined &&
    fatal !== undefined &&
    level > debug &&
    level < fatal &&
    containsLoggedError(fields)
  )
    this.debug(...args)
  else method.apply(this, args)
}

function containsLoggedError(fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null) return false
  return ('err' in fields && isLogged(fields.err)) || ('reason' in fields && isLogged(fields.reason))
}

const messageOf = (reason: unknown) => (reason instanceof Error ? reason.message : reason)

/** The messages at level info that a terminal shows only with `LOG_LEVEL=debug`. */
const routineMessages: ReadonlySet<unknown> = new Set([
  'request',
  'turn ended',
  'audit head',
  'operator command',
  'key refused',
  'session refused',
  'WebSocket handshake refused',
])

/** Fastify logs its address as the only argument. The start screen already shows it. */
const isRoutine = ([fields, message]: readonly unknown[]) =>
  routineMessages.has(message) || (typeof fields === 'string' && fields.startsWith('Server listening at '))

function reportClosedOutput(): void {
  process.stderr.write('Standard output was closed. Parley continues without a log.\n')
}

interface RequestFields {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly milliseconds: number
}

/** Formats a request as a sentence, because a failed request is hard to see in a list of fields. */
function formatRequest(args: Parameters<LogFn>): Parameters<LogFn> {
  const [fields, message] = args
  if (message !== 'request' || !isRequest(fields)) return args
  const { method, path, status, milliseconds } = fields
  return [{}, `${method} ${path}: ${status} ${STATUS_CODES[status] ?? 'Unknown'} in ${milliseconds} ms`]
}

function isRequest(fields: unknown): fields is RequestFields {
  const names = ['method', 'path', 'status', 'milliseconds']
  return typeof fields === 'object' && fields !== null && names.every((name) => name in fields)
}

/**
 * The paths to redact. They are a second line of defense, because secrets should not be passed to the log at
 * all.
 */
const secretPaths = ['apiKey', 'key', 'token', 'secret', 'headers', 'authorization'].flatMap((name) => [
  name,
  `*.${name}`,
])

/**
 * The error codes of writes to standard output after its reader is closed: a closed pipe, socket or terminal.
 */
const closedReaderCodes: readonly string[] = ['EPIPE', 'ECONNRESET', 'ENOTCONN', 'EIO', 'EBADF']

/** The buffer size for a full disk. Further lines are dropped. */
const maxWaitingBytes = 1024 * 1024

/**
 * Writes to standard output until its reader is closed. After that, the service continues without a log.
 * pino's own destination would throw at the next log call, and would block forever on the last line before an
 * exit.
 */
export function makeLogOutput(onReaderGone: () => void): DestinationStream {
  const output = pino.destination({ dest: process.stdout.fd, sync: true, maxLength: maxWaitingBytes })
  let isRead = true
  output.removeAllListeners('error')
  output.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (!isRead || !closedReaderCodes.includes(code)) return
    isRead = false
    onReaderGone()
  })
  return {
    write(line) {
      if (isRead) output.write(line)
    },
  }
}

interface ShownError {
  readonly message: string
  readonly stack: string
  readonly params?: unknown
  readonly aggregateErrors?: readonly ShownError[]
}

/**
 * Formats an error for the log. The message of a failed query repeats its values, which are user data and
 * sealed secrets, so the log contains the query without them.
 */
export function errorForLog(error: Error): object {
  const shown: ShownError = stdSerializers.err(error)
  const values = valuesIn(error)
  return values.length === 0 ? shown : withoutValues(shown, values)
}

/**
 * Returns the values of failed queries as they appear in messages, for this error, its cause and its
 * aggregated errors.
 */
function valuesIn(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const own = 'params' in error && Array.isArray(error.params) ? [String(error.params)] : []
  const gathered: unknown[] = error instanceof AggregateError ? error.errors : []
  return [...own, ...[error.cause, ...gathered].flatMap(valuesIn)]
}

function withoutValues(
  { params: _, aggregateErrors, ...shown }: ShownError,
  values: readonly string[],
): ShownError {
  const strip = (text: string) =>
    values.reduce((rest, value) => rest.replaceAll(`params: ${value}`, 'params: not shown'), text)
  return {
    ...shown,
    message: strip(shown.message),
    stack: strip(shown.stack),
    ...(aggregateErrors && { aggregateErrors: aggregateErrors.map((one) => withoutValues(one, values)) }),
  }
}

const loggedErrors = new WeakSet<Error>()

/**
 * Marks an error that another log line already covers, for example the line that reports a database outage.
 */
export function markAsLogged(error: unknown): void {
  if (error instanceof Error) loggedErrors.add(error)
}

/** Returns whether an error or one of its causes was marked. */
export function isLogged(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (loggedErrors.has(each)) return true
  return false
}
