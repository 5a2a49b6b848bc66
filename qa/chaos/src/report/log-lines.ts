import { readFileSync } from 'node:fs'
import type { BrokenPromise } from '../books/broken-promise.js'

interface LogLine {
  readonly time: number
  readonly level: number
  readonly text: string
}

const warnLevel = 40
/** Around the moment that something broke. */
const windowMilliseconds = { before: 15_000, after: 10_000 } as const
const mostLines = 8
const mostCharacters = 300

/** The log of one instance, as far as its lines are JSON. */
export function readLog(path: string): readonly LogLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text): LogLine[] => {
      try {
        const { time, level } = JSON.parse(text) as { time: number | string; level: number }
        return [{ time: typeof time === 'number' ? time : Date.parse(time), level, text }]
      } catch {
        // What is written besides, such as why a start has failed, belongs to everything.
        return text.trim() === '' ? [] : [{ time: 0, level: warnLevel, text }]
      }
    })
}

/** The lines that name what broke; where none does, the warnings of that time. */
export function linesAbout({ ids, at }: BrokenPromise, log: readonly LogLine[]): readonly string[] {
  const named = log.filter(({ text }) => ids.some((id) => id !== '' && text.includes(id)))
  const isNear = ({ time }: LogLine) =>
    at !== null && time >= at - windowMilliseconds.before && time <= at + windowMilliseconds.after
  const warnings = log.filter((line) => line.level >= warnLevel && isNear(line))
  // A conversation is read once more to be judged; that is no news.
  const naming = at === null ? named : named.filter(({ time }) => time <= at + windowMilliseconds.after)
  const chosen = naming.length > 0 ? naming : warnings
  return chosen.slice(-mostLines).map(({ text }) => text.slice(0, mostCharacters))
}
