import { type Expectation, patternOf } from '@parley/contract'
import { type Actions, describeCall, type Exchange, type SeenCall } from './exchange.js'
import { matchesPattern } from './match-pattern.js'

/** Answers for expectations that cannot be checked by comparing words. */
export interface Opinions {
  /** Returns how close the meanings of two texts are, from 0 to 1. */
  likeness(text: string, wanted: string): Promise<number>
  /** Returns the judge's decision on the conversation. */
  judge(criterion: string): Promise<{ readonly holds: boolean; readonly reason: string }>
}

/** Returns the expectations that were not met, or an empty list. */
export async function checkExchange(
  exchange: Exchange,
  expectations: readonly Expectation[],
  opinions: Opinions,
): Promise<Miss[]> {
  const misses: Miss[] = []
  for (const expectation of expectations) {
    misses.push(...checkText(exchange, expectation), ...checkActions(exchange, expectation))
    misses.push(...checkBehavior(exchange, expectation))
    misses.push(...(await checkMeaning(exchange, expectation, opinions)))
  }
  return misses
}

function checkText({ words }: Exchange, { says, saysNot }: Expectation): Miss[] {
  const got = words === '' ? 'nothing' : quote(words)
  return [
    ...(says === undefined || containsText(words, says)
      ? []
      : [{ expectation: 'says', wanted: quote(says), got }]),
    ...(saysNot === undefined || !containsText(words, saysNot)
      ? []
      : [{ expectation: 'saysNot', wanted: `not ${quote(saysNot)}`, got }]),
  ]
}

function checkActions(exchange: Exchange, expectation: Expectation): Miss[] {
  const { calls, called, callsNot, callsNothing, waitsFor, subAgent } = expectation
  return [
    ...(calls === undefined ? [] : checkCalls(exchange, calls)),
    ...(called === undefined ? [] : checkOutcomes(exchange, called)),
    ...(callsNot === undefined ? [] : checkSilence(exchange, listOf(callsNot))),
    ...(callsNothing === undefined ? [] : checkSilence(exchange, null)),
    ...(waitsFor === undefined ? [] : checkWaiting(exchange, waitsFor)),
    ...(subAgent === undefined ? [] : checkSubAgents(exchange, listOf(subAgent))),
  ]
}

/** Checks who was interrupted and how soon the answer began. */
function checkBehavior(exchange: Exchange, { interrupted, withinMs }: Expectation): Miss[] {
  const wanted = interrupted === true ? 'agent' : interrupted === false ? 'nobody' : interrupted
  const isOther = wanted !== undefined && wanted !== exchange.interrupted
  const { firstMs } = exchange
  const isLate = withinMs !== undefined && firstMs !== null && firstMs > withinMs
  return [
    ...(isOther
      ? [{ expectation: 'interrupted', wanted: `${wanted} interrupted`, got: `${exchange.interrupted} was` }]
      : []),
    ...(isLate
      ? [{ expectation: 'withinMs', wanted: `at most ${withinMs} ms`, got: `${Math.round(firstMs)} ms` }]
      : []),
    ...(withinMs !== undefined && firstMs === null && exchange.state === 'answered'
      ? [{ expectation: 'withinMs', wanted: `at most ${withinMs} ms`, got: 'no answer' }]
      : []),
  ]
}

async function checkMeaning(
  { words }: Exchange,
  { means, judge }: Expectation,
  opinions: Opinions,
): Promise<Miss[]> {
  const misses: Miss[] = []
  if (means !== undefined) {
    const likeness = words === '' ? 0 : await opinions.likeness(words, means.text)
    if (likeness < means.atLeast)
      misses.push({
        expectation: 'means',
        wanted: `${quote(means.text)}, at least ${means.atLeast}`,
        got: `${likeness.toFixed(2)}: ${quote(words)}`,
      })
  }
  if (judge !== undefined) {
    const { holds, reason } = await opinions.judge(judge)
    if (!holds) misses.push({ expectation: 'judge', wanted: judge, got: reason })
  }
  return misses
}

function listOf(names: string | readonly string[]): readonly string[] {
  return typeof names === 'string' ? [names] : names
}

function quote(text: string): string {
  return /^\/.+\/[a-z]*$/s.test(text) ? text : JSON.stringify(text)
}

/** An expectation that was not met. */
export interface Miss {
  /** The name of the expectation in the file. */
  readonly expectation: string
  readonly wanted: string
  readonly got: string
}

type ToolArguments = NonNullable<Expectation['calls']>
type ToolOutcomes = NonNullable<Expectation['called']>

function checkCalls({ calls }: Actions, wanted: ToolArguments): Miss[] {
  return missing('calls', wanted, calls)
}

/** Checks the calls that wait for a decision. */
function checkWaiting({ calls }: Actions, wanted: ToolArguments): Miss[] {
  const waiting = calls.filter(({ status }) => status === 'waiting')
  return missing('waitsFor', wanted, waiting).map((miss) =>
    waiting.length > 0 ? miss : { ...miss, got: `no call waits for a decision: ${listed(calls)}` },
  )
}

function checkOutcomes({ calls }: Actions, wanted: ToolOutcomes): Miss[] {
  const isSo = (call: SeenCall, { status, text, arguments: given }: ToolOutcomes[string]) =>
    (call.status === 'success' || call.status === 'failed') &&
    (status === undefined || statusName(status) === call.status) &&
    (text === undefined || containsText(call.text ?? '', text)) &&
    (given === undefined || fits(argumentsOf(call), given))
  return Object.entries(wanted).flatMap(([tool, outcome]) =>
    calls.some((call) => call.tool === tool && isSo(call, outcome))
      ? []
      : [{ expectation: 'called', wanted: `${tool} ${JSON.stringify(outcome)}`, got: listed(calls) }],
  )
}

function statusName(status: NonNullable<ToolOutcomes[string]['status']>): SeenCall['status'] {
  if (typeof status !== 'number') return status
  return status === 1 ? 'success' : 'failed'
}

/** Checks that none of the tools was called. Null means: no tool and no sub-agent at all. */
function checkSilence({ calls, subAgents }: Actions, tools: readonly string[] | null): Miss[] {
  if (tools === null)
    return calls.length === 0 && subAgents.length === 0
      ? []
      : [
          {
            expectation: 'callsNothing',
            wanted: 'no call',
            got: [...calls.map(describeCall), ...subAgents.map((name) => `asked ${name}`)].join(', '),
          },
        ]
  const made = calls.filter(({ tool }) => tools.includes(tool))
  return made.length === 0
    ? []
    : [{ expectation: 'callsNot', wanted: `no call of ${tools.join(', ')}`, got: listed(made) }]
}

function checkSubAgents({ subAgents }: Actions, wanted: readonly string[]): Miss[] {
  const asked = subAgents.map((name) => name.toLowerCase())
  return wanted
    .filter((name) => !asked.includes(name.toLowerCase()))
    .map((name) => ({
      expectation: 'subAgent',
      wanted: `${name} to be asked`,
      got: subAgents.length === 0 ? 'no sub-agent was asked' : `asked ${subAgents.join(', ')}`,
    }))
}

function missing(expectation: string, wanted: ToolArguments, calls: readonly SeenCall[]): Miss[] {
  return Object.entries(wanted).flatMap(([tool, given]) =>
    calls.some((call) => call.tool === tool && fits(argumentsOf(call), given))
      ? []
      : [{ expectation, wanted: `${tool} ${JSON.stringify(given)}`, got: listed(calls) }],
  )
}

function listed(calls: readonly SeenCall[]): string {
  return calls.length === 0 ? 'no call' : calls.map(describeCall).join(', ')
}

/**
 * Returns whether a text contains the wanted text, ignoring case and spacing, or matches the wanted
 * pattern.
 */
function containsText(text: string, wanted: string): boolean {
  const pattern = patternOf(wanted)
  return pattern === null ? plain(text).includes(plain(wanted)) : matchesPattern(pattern, text)
}

function plain(text: string): string {
  return text.replaceAll(/[‘’]/g, "'").replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

/**
 * Returns whether a value matches: texts by equality or by a pattern, lists item by item, objects in the
 * fields that are named.
 */
function fits(value: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'string') {
    const pattern = patternOf(wanted)
    if (pattern !== null)
      return (typeof value === 'string' || typeof value === 'number') && matchesPattern(pattern, `${value}`)
    return value === wanted
  }
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((part, index) => fits(value[index], part))
    )
  if (!isRecord(wanted)) return value === wanted
  return isRecord(value) && Object.entries(wanted).every(([name, part]) => fits(value[name], part))
}

/** Returns the arguments of a call, or null if they are not valid JSON. */
function argumentsOf({ argumentsText }: { readonly argumentsText: string }): unknown {
  try {
    return JSON.parse(argumentsText === '' ? '{}' : argumentsText)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
