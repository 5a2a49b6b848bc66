import type { Setting } from '../config/setting.js'
import { settings } from '../config/settings.js'

/** A setting as it is in force, without its secret. */
export interface SettingInForce {
  readonly name: string
  /** null where it is unset, `(set)` where it may hold a secret. */
  readonly value: string | null
  readonly from: 'default' | 'environment' | '.env'
}

const rows: readonly (readonly [string, Setting])[] = Object.entries(settings)

/** Every setting with its value and where that comes from. */
export function settingsInForce(
  env: Readonly<Record<string, string | undefined>>,
  namesFromFile: readonly string[],
): SettingInForce[] {
  return rows.map(([name, setting]) => {
    const given = env[name]
    if (given === undefined || given === '') return { name, value: setting.default, from: 'default' }
    const value = setting.holdsSecret ? '(set)' : given
    return { name, value, from: namesFromFile.includes(name) ? '.env' : 'environment' }
  })
}
