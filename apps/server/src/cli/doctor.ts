import { exitCodes, type Output, table } from '@parley/terminal'
import type { Finding } from './finding.js'
import type { SettingInForce } from './settings-in-force.js'

const marks = { ok: 'ok   ', warn: 'warn ', wrong: 'WRONG' } as const

/** Prints the findings. Returns the exit code, which is 1 if a check failed. */
export function showDiagnosis(
  output: Output,
  settings: readonly SettingInForce[],
  findings: readonly Finding[],
): number {
  const isWrong = findings.some(({ level }) => level === 'wrong')
  output.result({ ok: !isWrong, settings, findings }, () => [
    ...describeSettings(settings),
    '',
    ...findings.flatMap(describeFinding),
    '',
    isWrong ? 'Some checks failed. See above.' : 'No problems found.',
  ])
  return isWrong ? exitCodes.failed : exitCodes.fine
}

function describeSettings(settings: readonly SettingInForce[]): string[] {
  const shown = settings.map(({ name, value, from }) => [name, value ?? '(unset)', from])
  const given = shown.filter(([, , from]) => from !== 'default')
  const defaults = shown.filter(([, , from]) => from === 'default')
  return table(['SETTING', 'VALUE', 'FROM'], [...given, ...defaults])
}

function describeFinding({ check, level, says, todo }: Finding): string[] {
  const line = `${marks[level]}  ${check.padEnd(10)}  ${says}`
  return todo === null ? [line] : [line, `${' '.repeat(19)}→ ${todo}`]
}
