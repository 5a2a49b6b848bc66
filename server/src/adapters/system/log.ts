import { concealApiKeys } from '@parley/contract'
import { type DestinationStream, type Logger, pino } from 'pino'
import { PinoPretty } from 'pino-pretty'
import { errorForLog } from './error-for-log.js'
import { makeLogOutput } from './log-output.js'

/** Readable lines for a person at a terminal, JSON for everything else. */
export function makeLog(level: string, isTerminal: boolean, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: secretPaths, censor: '[secret]' },
    serializers: { err: errorForLog },
    hooks: { streamWrite: concealApiKeys },
  }
  if (destination) return pino(options, destination)
  if (!isTerminal) return pino(options, makeLogOutput(reportUnreadLog))
  return pino(
    options,
    PinoPretty({ colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true }),
  )
}

function reportUnreadLog(): void {
  process.stderr.write('Nobody reads the log any more. Parley goes on without it.\n')
}

/** A second line of defence: nothing of the kind should be logged in the first place. */
const secretPaths = ['apiKey', 'key', 'token', 'secret', 'headers', 'authorization'].flatMap((name) => [
  name,
  `*.${name}`,
])
