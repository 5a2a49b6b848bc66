/*
 * How the most lenient reader would understand a client's message. What a provider might take for something guarded must
 * be recognized as that here, in whichever spelling.
 */

/** A name without letter case, the long s and the Kelvin sign included. */
export function foldCase(name: string): string {
  return name.trim().toUpperCase().toLowerCase()
}

const unprintable = /[^\x20-\x7e]/
const eachUnprintable = /[^\x20-\x7e]/g

/** Whether a name is made of nothing that one reader drops and another keeps. */
export const isPrintable = (name: string) => !unprintable.test(name)

/**
 * What readers may take a name for: without the control characters, halves of surrogates and foreign letters in it, and,
 * for those to whom such a character ends a string, what stands before the first.
 */
export function readingsOf(name: string): string[] {
  if (isPrintable(name)) return [foldCase(name)]
  const letters = name.normalize('NFKC')
  const printable = letters.replace(eachUnprintable, '')
  return [printable, letters.trimStart().split(unprintable, 1).join('')].map(foldCase)
}

/** Items that only the model makes: calls, whoever runs them. */
const callTypes: ReadonlySet<string> = new Set(['function_call', 'mcp_call', 'custom_tool_call'])
const outputTypes: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output'])

/** What an event would put into the conversation besides words. */
export interface CallItems {
  readonly hasCall: boolean
  /** For which calls there are outputs, as the client wrote it: text, if it is right. */
  readonly answered: readonly unknown[]
}

/**
 * Finds calls and outputs in an event: as its item, in the `input` of a response, or anywhere else. Without recursion,
 * since a frame can nest deeper than the stack.
 */
export function findCallItems(event: object): CallItems {
  let hasCall = false
  const answered: unknown[] = []
  const open: object[] = [event]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    for (const inner of Object.values(value))
      if (typeof inner === 'object' && inner !== null) open.push(inner)
    if (Array.isArray(value)) continue
    const types = textsIn(fieldOf(value, 'type')).flatMap(readingsOf)
    if (types.some((type) => outputTypes.has(type))) answered.push(fieldOf(value, 'call_id'))
    else if (types.some((type) => callTypes.has(type))) hasCall = true
  }
  return { hasCall, answered }
}

/** A field, letter case aside. */
function fieldOf(value: object, name: string): unknown {
  return Object.entries(value).find(([key]) => foldCase(key) === name)?.[1]
}

/** A text, or those in a list: some readers take a list of one for what is in it. */
function textsIn(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string')
}

/** The keys by which a frame is judged. Of others `URL` and `url` may stand side by side. */
const judgedKeys: ReadonlySet<string> = new Set(['type', 'item', 'call_id', 'callid', 'event_id'])

/** What is wrong with the keys of a valid JSON text, in words; null where every reader finds the same fields. */
export function findDoubtfulKey(json: string): string | null {
  const scopes: (Set<string> | null)[] = []
  let at = 0
  while (at < json.length) {
    const character = json[at]
    if (character === '{') scopes.push(new Set())
    else if (character === '[') scopes.push(null)
    else if (character === '}' || character === ']') scopes.pop()
    else if (character === '"') {
      const end = stringEnd(json, at)
      const keys = scopes.at(-1)
      if (keys && isKey(json, end)) {
        const problem = noteKey(keys, JSON.parse(json.slice(at, end)))
        if (problem !== null) return problem
      }
      at = end
      continue
    }
    at += 1
  }
  return null
}

/**
 * Parsers differ in which of two equal keys they believe, some take `Type` for `type`, and some drop what they do not
 * understand: what we read must be what the provider reads.
 */
function noteKey(keys: Set<string>, key: string): string | null {
  const folded = foldCase(key)
  const isJudged = judgedKeys.has(folded)
  if (!isJudged && readingsOf(key).some((reading) => judgedKeys.has(reading)))
    return 'The message has a field that could be taken for another.'
  const name = isJudged ? folded : key
  if (keys.has(name)) return 'The message names a field twice.'
  keys.add(name)
  return null
}

/** The index behind the closing quote of the string that begins at `start`. */
function stringEnd(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

/** In an object, what a colon follows is a key; a string value is followed by a comma or the end. */
function isKey(json: string, end: number): boolean {
  let at = end
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at += 1
  return json[at] === ':'
}
