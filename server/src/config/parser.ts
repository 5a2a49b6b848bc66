export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Turns the text of one setting into its value. */
export interface Parser<T> {
  /** What a good value looks like; shown in mistakes and in the documents. */
  readonly accepts: string
  /** A problem continues a sentence that begins with the setting's name: "is not a whole number". */
  readonly parse: (text: string) => Parsed<T>
}

export function accepted<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

export function refused(...problems: readonly string[]): Parsed<never> {
  return { ok: false, problems }
}

/** A value as mistakes show it: on one line, of bounded length, without what stands before an "@", which may be a password. */
export function quote(text: string): string {
  const masked = text.replace(/^.*@/s, '***@')
  return JSON.stringify(masked.length > 60 ? `${masked.slice(0, 60)}…` : masked)
}

export function matching(pattern: RegExp, problem: string, accepts: string): Parser<string> {
  return { accepts, parse: (text) => (pattern.test(text) ? accepted(text) : refused(problem)) }
}

export function wholeNumber(min: number, max: number): Parser<number> {
  return {
    accepts: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      if (!/^\d+$/.test(text)) return refused('is not a whole number')
      const value = Number(text)
      if (value < min) return refused(`is below ${min}`)
      if (value > max) return refused(`is above ${max}`)
      return accepted(value)
    },
  }
}

export function oneOf<const T extends string>(...choices: readonly T[]): Parser<T> {
  return {
    accepts: choices.join(', ').replace(/, ([^,]+)$/, ' or $1'),
    parse: (text) => {
      const choice = choices.find((known) => known === text)
      return choice === undefined ? refused('is not one of the known values') : accepted(choice)
    },
  }
}

export function someOf<const T extends string>(...choices: readonly T[]): Parser<readonly T[]> {
  const one = oneOf(...choices)
  return {
    accepts: `one or more of ${choices.join(', ')}, separated by commas, each once`,
    parse: (text) => {
      const list = commaSeparated(one, 'not known').parse(text)
      if (!list.ok) return list
      const repeated = list.value.find((entry, at) => list.value.indexOf(entry) !== at)
      return repeated === undefined ? list : refused(`has ${quote(repeated)} more than once`)
    },
  }
}

/** At least one entry; white space around an entry is ignored. Each bad entry is named. */
export function commaSeparated<T>(entry: Parser<T>, problem: string): Parser<readonly T[]> {
  return {
    accepts: `${entry.accepts}, separated by commas`,
    parse: (text) => {
      const values: T[] = []
      const bad: string[] = []
      for (const part of text.split(',').map((piece) => piece.trim())) {
        const parsed = entry.parse(part)
        if (parsed.ok) values.push(parsed.value)
        else bad.push(part)
      }
      if (bad.includes('')) return refused('has an empty entry')
      return bad.length === 0 ? accepted(values) : refused(`has ${bad.map(quote).join(', ')}: ${problem}`)
    },
  }
}

export const trueOrFalse: Parser<boolean> = {
  accepts: 'true or false',
  parse: (text) =>
    text === 'true' || text === 'false' ? accepted(text === 'true') : refused('is neither true nor false'),
}
