/** Arguments that can be displayed and sent as the same text, or the reason why they cannot. */
export type ReadArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>>; readonly text: string }
  | { readonly ok: false; readonly problem: string }

/** Longer than any number that JSON.stringify writes. */
const maxNumberCharacters = 100
const maxShownCharacters = 60

/**
 * Parses the arguments of a call and serializes them again. Rejects everything that JSON parsers interpret
 * differently or that parsing changes: repeated keys, numbers that a double cannot represent, lone surrogates.
 */
export function readArguments(argumentsText: string): ReadArguments {
  const value = parse(argumentsText)
  if (value === null) return { ok: false, problem: 'The text is not a JSON object.' }
  const problem = findProblem(argumentsText)
  if (problem !== null) return { ok: false, problem }
  const text = write(value)
  if (text === null) return { ok: false, problem: 'The JSON is nested too deeply.' }
  return loneSurrogate.test(text)
    ? { ok: false, problem: 'The JSON contains text that is not valid Unicode.' }
    : { ok: true, value, text }
}

/** JSON.stringify escapes a lone surrogate, but writes a surrogate pair unescaped. */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/

function parse(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** Returns null if the value is nested deeper than the stack allows. */
function write(value: object): string | null {
  try {
    return JSON.stringify(value)
  } catch {
    return null
  }
}

/** Describes the first repeated key or inexact number of a valid JSON text. Returns null if there is none. */
function findProblem(json: string): string | null {
  /** The keys of each open object, or null for an open list. */
  const scopes: (Set<string> | null)[] = []
  let problem: string | null = null
  for (let at = 0; at < json.length && problem === null; ) {
    const end = tokenEnd(json, at)
    const token = json.slice(at, end)
    const keys = scopes.at(-1)
    if (token === '{') scopes.push(new Set())
    else if (token === '[') scopes.push(null)
    else if (token === '}' || token === ']') scopes.pop()
    else if (digit.test(token)) problem = numberProblem(token)
    else if (keys && token.startsWith('"') && isKey(json, end)) problem = keyProblem(keys, token)
    at = end
  }
  return problem
}

const digit = /^[-0-9]/

function keyProblem(keys: Set<string>, token: string): string | null {
  const key = String(JSON.parse(token))
  if (keys.has(key))
    return `The JSON contains the key ${shown(JSON.stringify(key))} twice in one object. Use each key once.`
  keys.add(key)
  return null
}

function numberProblem(literal: string): string | null {
  return isExact(literal)
    ? null
    : `The number ${shown(literal)} cannot be passed on exactly. Give it as a string if the schema accepts one. Otherwise use at most 15 digits.`
}

/**
 * Returns the index after the string or number that starts at `start`, or else after that single character.
 */
function tokenEnd(json: string, start: number): number {
  const character = json.charAt(start)
  if (character === '"') return stringEnd(json, start)
  return digit.test(character) ? numberEnd(json, start) : start + 1
}

/** Returns the index after the closing quote of the string that begins at `start`. */
function stringEnd(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

/** Only a key is followed by a colon. */
function isKey(json: string, end: number): boolean {
  let at = end
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1
  return json[at] === ':'
}

function numberEnd(json: string, start: number): number {
  let at = start
  while (at < json.length && '+-.0123456789Ee'.includes(json.charAt(at))) at += 1
  return at
}

/**
 * Returns whether a double represents the number exactly. Integers beyond 2^53 are rejected even if a double
 * represents them.
 */
function isExact(literal: string): boolean {
  const value = Number(literal)
  if (literal.length > maxNumberCharacters || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false
  return decimalOf(literal) === decimalOf(String(value))
}

/** Returns the same spelling for equal decimal numbers, such as `1.50` and `15e-1`. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const scale = Number(exponent) - fraction.length + digits.length - significant.length
  return `${sign}${significant}e${scale}`
}

function shown(text: string): string {
  return text.length <= maxShownCharacters ? text : `${text.slice(0, maxShownCharacters).toWellFormed()}…`
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
