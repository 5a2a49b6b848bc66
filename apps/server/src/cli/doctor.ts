import { exitCodes, type Output, table } from '@parley/terminal'
import type { EffectiveSetting } from './effective-settings.js'
import type { Finding } from './finding.js'

const marks = { ok: 'ok   ', warn: 'warn ', wrong: 'WRONG' } as const

interface Diagnosis {
  readonly settings: readonly EffectiveSetting[]
  readonly findings: readonly Finding[]
}

/** Prints the findings, and the settings on request. Returns the exit code, which is 1 if a check failed. */
export function showDiagnosis(
  output: Output,
  { settings, findings }: Diagnosis,
  areSettingsShown: boolean,
): number {
  const isWrong = findings.some(({ level }) => level === 'wrong')
  output.result({ ok: !isWrong, settings, findings }, () => [
    ...findings.flatMap(describeFinding),
    '',
    isWrong ? 'Some checks failed. See above.' : 'No problems found.',
    ...(areSettingsShown ? ['', ownSettings, '', ...describeSettings(settings)] : []),
  ])
  return isWrong ? exitCodes.failed : exitCodes.fine
}

const ownSettings =
  'These are the settings of this command. A running service uses those that it was started with.'

function describeSettings(settings: readonly EffectiveSetting[]): string[] {
  const shown = settings.map(({ name, value, from }) => [name, value ?? '(unset)', from])
  const given = shown.filter(([, , from]) => from !== 'default')
  const defaults = shown.filter(([, , from]) => from === 'default')
  return table(['SETTING', 'VALUE', 'FROM'], [...given, ...defaults])
}

function describeFinding({ check, level, says, todo }: Finding): string[] {
  const line = `${marks[level]}  ${check.padEnd(10)}  ${says}`
  return todo === null ? [line] : [line, `${' '.repeat(19)}→ ${todo}`]
}
