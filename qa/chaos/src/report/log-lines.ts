import { readFileSync } from 'node:fs'
import type { Violation } from '../records/violation.js'

interface LogLine {
  readonly time: number
  readonly level: number
  readonly text: string
}

const warnLevel = 40
/** The time range around a violation. */
const windowMilliseconds = { before: 15_000, after: 10_000 } as const
const mostLines = 8
const mostCharacters = 300

/** Reads the log of one instance. */
export function readLog(path: string): readonly LogLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text): LogLine[] => {
      try {
        const { time, level } = JSON.parse(text) as { time: number | string; level: number }
        return [{ time: typeof time === 'number' ? time : Date.parse(time), level, text }]
      } catch {
        // Lines that are not JSON, such as the error of a failed start, count as warnings at any time.
        return text.trim() === '' ? [] : [{ time: 0, level: warnLevel, text }]
      }
    })
}

/** Returns the lines that contain one of the ids, or the warnings around that time if there are none. */
export function linesAbout({ ids, at }: Violation, log: readonly LogLine[]): readonly string[] {
  const named = log.filter(({ text }) => ids.some((id) => id !== '' && text.includes(id)))
  const isNear = ({ time }: LogLine) =>
    at !== null && time >= at - windowMilliseconds.before && time <= at + windowMilliseconds.after
  const warnings = log.filter((line) => line.level >= warnLevel && isNear(line))
  // Reading conversations for the check also writes log lines, so later lines are left out.
  const naming = at === null ? named : named.filter(({ time }) => time <= at + windowMilliseconds.after)
  const chosen = naming.length > 0 ? naming : warnings
  return chosen.slice(-mostLines).map(({ text }) => text.slice(0, mostCharacters))
}
