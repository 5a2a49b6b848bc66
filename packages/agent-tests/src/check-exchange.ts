import { type Expectation, patternOf } from '@parley/contract'
import { type Deeds, describeCall, type Exchange, type SeenCall } from './exchange.js'

/** What it takes to check what words alone do not tell. */
export interface Opinions {
  /** From 0 to 1: how near the meaning of a text comes to another. */
  likeness(text: string, wanted: string): Promise<number>
  /** What the judge finds, having read the conversation. */
  judge(criterion: string): Promise<{ readonly holds: boolean; readonly reason: string }>
}

/** All that is not as expected; empty where everything is. */
export async function checkExchange(
  exchange: Exchange,
  expectations: readonly Expectation[],
  opinions: Opinions,
): Promise<Miss[]> {
  const misses: Miss[] = []
  for (const expectation of expectations) {
    misses.push(...checkWords(exchange, expectation), ...checkDeeds(exchange, expectation))
    misses.push(...checkManner(exchange, expectation))
    misses.push(...(await checkMeaning(exchange, expectation, opinions)))
  }
  return misses
}

function checkWords({ words }: Exchange, { says, saysNot }: Expectation): Miss[] {
  const got = words === '' ? 'nothing' : quote(words)
  return [
    ...(says === undefined || holdsWords(words, says)
      ? []
      : [{ expectation: 'says', wanted: quote(says), got }]),
    ...(saysNot === undefined || !holdsWords(words, saysNot)
      ? []
      : [{ expectation: 'saysNot', wanted: `not ${quote(saysNot)}`, got }]),
  ]
}

function checkDeeds(exchange: Exchange, expectation: Expectation): Miss[] {
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

/** Who was interrupted, and how soon it was answered. */
function checkManner(exchange: Exchange, { interrupted, withinMs }: Expectation): Miss[] {
  const wanted = interrupted === true ? 'agent' : interrupted === false ? 'nobody' : interrupted
  const isOther = wanted !== undefined && wanted !== exchange.interrupted
  const { firstMs } = exchange
  const isLate = withinMs !== undefined && firstMs !== null && firstMs > withinMs
  return [
    ...(isOther
      ? [{ expectation: 'interrupted', wanted: `${wanted} interrupted`, got: `${exchange.interrupted} was` }]
      : []),
    ...(isLate
      ? [{ expectation: 'withinMs', wanted: `${withinMs} ms at most`, got: `${Math.round(firstMs)} ms` }]
      : []),
    ...(withinMs !== undefined && firstMs === null && exchange.state === 'answered'
      ? [{ expectation: 'withinMs', wanted: `${withinMs} ms at most`, got: 'no answer' }]
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

/** An expectation that was not met: what was wanted, and what there is instead. */
export interface Miss {
  /** Its name in the file. */
  readonly expectation: string
  readonly wanted: string
  readonly got: string
}

type ToolArguments = NonNullable<Expectation['calls']>
type ToolOutcomes = NonNullable<Expectation['called']>

function checkCalls({ calls }: Deeds, wanted: ToolArguments): Miss[] {
  return missing('calls', wanted, calls)
}

/** Calls that wait, and that nobody has decided on. */
function checkWaiting({ calls }: Deeds, wanted: ToolArguments): Miss[] {
  const waiting = calls.filter(({ status }) => status === 'waiting')
  return missing('waitsFor', wanted, waiting).map((miss) =>
    waiting.length > 0 ? miss : { ...miss, got: `nothing waits for a person: ${listed(calls)}` },
  )
}

function checkOutcomes({ calls }: Deeds, wanted: ToolOutcomes): Miss[] {
  const isSo = (call: SeenCall, { status, text, arguments: given }: ToolOutcomes[string]) =>
    (call.status === 'success' || call.status === 'failed') &&
    (status === undefined || statusName(status) === call.status) &&
    (text === undefined || holdsWords(call.text ?? '', text)) &&
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

/** None of these tools; null: none at all, and no sub-agent either. */
function checkSilence({ calls, subAgents }: Deeds, tools: readonly string[] | null): Miss[] {
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

function checkSubAgents({ subAgents }: Deeds, wanted: readonly string[]): Miss[] {
  const asked = subAgents.map((name) => name.toLowerCase())
  return wanted
    .filter((name) => !asked.includes(name.toLowerCase()))
    .map((name) => ({
      expectation: 'subAgent',
      wanted: `${name} is asked`,
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

/** Whether a text holds what is wanted: words whatever their case and spacing, or what a pattern finds. */
function holdsWords(text: string, wanted: string): boolean {
  const pattern = patternOf(wanted)
  return pattern === null ? plain(text).includes(plain(wanted)) : pattern.test(text)
}

function plain(text: string): string {
  return text.replaceAll(/[‘’]/g, "'").replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

/** Whether a value is what is wanted: as it stands, a text also by a pattern, of objects and lists the parts that are named. */
function fits(value: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'string') {
    const pattern = patternOf(wanted)
    if (pattern !== null)
      return (typeof value === 'string' || typeof value === 'number') && pattern.test(`${value}`)
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

/** The arguments of a call; null where they are no JSON. */
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
