import { STATUS_CODES } from 'node:http'
import { concealApiKeys } from '@parley/contract'
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { PinoPretty } from 'pino-pretty'
import { errorForLog } from './error-for-log.js'
import { makeLogOutput } from './log-output.js'
import { isTold } from './told-errors.js'
import { traceIdsForLog } from './trace-ids.js'

/** Who writes the log: on every line of JSON. */
export interface LoggingInstance {
  readonly instance: string
  readonly version: string
}

export interface LogOptions {
  readonly destination?: DestinationStream
  readonly instance?: LoggingInstance
}

/** Readable lines for a person at a terminal, JSON for everything else. */
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
    // A reason is the message of an error alone, for what needs no stack.
    serializers: { err: errorForLog, reason: messageOf },
    hooks: { streamWrite: concealApiKeys, logMethod: writeUnlessTold },
  }
  if (destination) return pino(options, destination)
  if (!isTerminal) return pino(options, makeLogOutput(reportUnreadLog))
  return pino(
    {
      ...options,
      hooks: {
        ...options.hooks,
        logMethod(args: Parameters<LogFn>, method: LogFn, level: number) {
          writeUnlessTold.call(this, inWords(args), method, level)
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
 * Errors of an outage of the database come by the hundred, and one line says that it is away. A line about one of them is
 * for debugging.
 */
function writeUnlessTold(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
  const [fields] = args
  const { debug, fatal } = this.levels.values
  if (
    debug !== undefined &&
    fatal !== undefined &&
    level > debug &&
    level < fatal &&
    isAboutToldError(fields)
  )
    this.debug(...args)
  else method.apply(this, args)
}

function isAboutToldError(fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null) return false
  return ('err' in fields && isTold(fields.err)) || ('reason' in fields && isTold(fields.reason))
}

const messageOf = (reason: unknown) => (reason instanceof Error ? reason.message : reason)

function reportUnreadLog(): void {
  process.stderr.write('Nobody reads the log any more. Parley goes on without it.\n')
}

interface RequestFields {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly milliseconds: number
}

/** What happened to a request, as a sentence: the figures would hide which of them failed. */
function inWords(args: Parameters<LogFn>): Parameters<LogFn> {
  const [fields, message] = args
  if (message !== 'request' || !isRequest(fields)) return args
  const { method, path, status, milliseconds } = fields
  return [{}, `${method} ${path}: ${status} ${STATUS_CODES[status] ?? 'Unknown'} in ${milliseconds} ms`]
}

function isRequest(fields: unknown): fields is RequestFields {
  const names = ['method', 'path', 'status', 'milliseconds']
  return typeof fields === 'object' && fields !== null && names.every((name) => name in fields)
}

/** A second line of defence: nothing of the kind should be logged in the first place. */
const secretPaths = ['apiKey', 'key', 'token', 'secret', 'headers', 'authorization'].flatMap((name) => [
  name,
  `*.${name}`,
])
