import { accepted, type Parsed, type Parser, quote } from './parser.js'

/** One row of the table of settings; its key there is the variable's name. */
export interface Setting {
  /** The text that an unset variable stands for; null: unset is a value of its own. */
  readonly default: string | null
  readonly parser: Parser<unknown>
  /** One sentence for operators, the same in .env.example and in the documents. */
  readonly about: string
  /** The value may hold a secret: mistakes never show it. */
  readonly holdsSecret?: true
}

export type SettingTable = Readonly<Record<string, Setting>>

type ValueOf<S extends Setting> =
  S['parser'] extends Parser<infer T> ? (S['default'] extends null ? T | null : T) : never

export type ValuesOf<Table extends SettingTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> }

export interface Reading<Table extends SettingTable> {
  /** Complete in every case: a refused setting has its default, so that rules across settings can still be checked. */
  readonly values: ValuesOf<Table>
  readonly mistakes: readonly string[]
}

export function readSettings<Table extends SettingTable>(
  table: Table,
  given: Readonly<Record<string, string>>,
): Reading<Table> {
  const values: Record<string, unknown> = {}
  const mistakes: string[] = []
  for (const [name, setting] of Object.entries(table)) {
    const text = given[name]
    const parsed = text === undefined ? parseDefault(setting) : setting.parser.parse(text)
    if (!parsed.ok) mistakes.push(...parsed.problems.map((problem) => mistake(name, setting, text, problem)))
    values[name] = parsed.ok ? parsed.value : valueOfDefault(setting)
  }
  // Each value comes from the parser of its own name, which a loop cannot show to the compiler.
  return { values: values as ValuesOf<Table>, mistakes }
}

function parseDefault(setting: Setting): Parsed<unknown> {
  return setting.default === null ? accepted(null) : setting.parser.parse(setting.default)
}

function valueOfDefault(setting: Setting): unknown {
  const parsed = parseDefault(setting)
  return parsed.ok ? parsed.value : null
}

function mistake(name: string, setting: Setting, text: string | undefined, problem: string): string {
  const subject = text === undefined || setting.holdsSecret ? name : `${name}=${quote(text)}`
  return `${subject} ${problem}; accepted: ${setting.parser.accepts}`
}
