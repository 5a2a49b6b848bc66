import type { z } from 'zod'

/** One setting. Its key in the table is the name of the environment variable. */
export interface Setting {
  /** The text that applies if the variable is unset. Null if the setting has no default. */
  readonly default: string | null
  /** Parses the text of the variable. The schema's description names the accepted values. */
  readonly schema: z.ZodType<unknown, string>
  /** The description for operators, the same in .env.example and in the documents. */
  readonly about: string
  /** The value may contain a secret, so error messages never show it. */
  readonly holdsSecret?: true
}

export type SettingTable = Readonly<Record<string, Setting>>

type ValueOf<S extends Setting> = z.output<S['schema']> | (S['default'] extends null ? null : never)

export type ValuesOf<Table extends SettingTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> }

export interface SettingsReading<Table extends SettingTable> {
  /**
   * Always complete. An invalid setting has its default value, so that rules across settings can still be
   * checked.
   */
  readonly values: ValuesOf<Table>
  readonly errors: readonly string[]
}

export function readSettings<Table extends SettingTable>(
  table: Table,
  given: Readonly<Record<string, string>>,
): SettingsReading<Table> {
  const values: Record<string, unknown> = {}
  const errors: string[] = []
  for (const [name, setting] of Object.entries(table)) {
    const text = given[name]
    if (text === undefined) {
      values[name] = defaultOf(setting)
      continue
    }
    const parsed = setting.schema.safeParse(text)
    values[name] = parsed.success ? parsed.data : defaultOf(setting)
    const subject = setting.holdsSecret ? name : `${name}=${quote(text)}`
    for (const issue of parsed.error?.issues ?? []) {
      errors.push(`${subject} ${problemOf(issue)}; accepted: ${setting.schema.description}`)
    }
  }
  // Each value comes from the schema of its own name, but the compiler cannot infer this from a loop.
  return { values: values as ValuesOf<Table>, errors }
}

function defaultOf(setting: Setting): unknown {
  return setting.default === null ? null : setting.schema.parse(setting.default)
}

/** Returns the message, with the path inside the value if there is one. */
function problemOf({ path, message }: z.core.$ZodIssue): string {
  if (path.length === 0) return message
  return `at ${path.map(pathPart).join('.')}: ${message.replace(/^Invalid input: /, '')}`
}

function pathPart(part: PropertyKey): string {
  const text = String(part)
  return /^[\w-]+$/.test(text) ? text : JSON.stringify(text)
}

/** Quotes a value for an error message, on one line and shortened. Masks text before an "@", which may be a password. */
export function quote(text: string): string {
  const masked = text.replace(/^.*@/s, '***@')
  return JSON.stringify(masked.length > 60 ? `${masked.slice(0, 60)}…` : masked)
}
