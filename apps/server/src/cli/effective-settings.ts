import type { Setting } from '../config/setting.js'
import { settings } from '../config/settings.js'

/** The effective value of a setting, without secrets. */
export interface EffectiveSetting {
  readonly name: string
  /** Null if the setting is unset, or `(set)` if it may contain a secret. */
  readonly value: string | null
  readonly from: 'default' | 'environment' | '.env'
}

const rows: readonly (readonly [string, Setting])[] = Object.entries(settings)

/** Returns every setting with its value and source. */
export function effectiveSettings(
  env: Readonly<Record<string, string | undefined>>,
  namesFromFile: readonly string[],
): EffectiveSetting[] {
  return rows.map(([name, setting]) => {
    const given = env[name]
    if (given === undefined || given === '') return { name, value: setting.default, from: 'default' }
    const value = setting.holdsSecret ? '(set)' : given
    return { name, value, from: namesFromFile.includes(name) ? '.env' : 'environment' }
  })
}
