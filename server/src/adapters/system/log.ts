import { concealApiKeys } from '@parley/contract'
import { type DestinationStream, type Logger, pino } from 'pino'
import { PinoPretty } from 'pino-pretty'
import { errorForLog } from './error-for-log.js'

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
  if (!isTerminal) return pino(options)
  return pino(
    options,
    PinoPretty({ colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true }),
  )
}

/** A second line of defence: nothing of the kind should be logged in the first place. */
const secretPaths = ['apiKey', 'key', 'token', 'secret', 'headers', 'authorization'].flatMap((name) => [
  name,
  `*.${name}`,
])
