import type { Expectation } from '@parley/contract'
import type { Deeds, SeenCall } from './exchange.js'
import { argumentsOf, fits, holdsWords } from './matchers.js'

/** An expectation that was not met: what was wanted, and what there is instead. */
export interface Miss {
  /** Its name in the file. */
  readonly expectation: string
  readonly wanted: string
  readonly got: string
}

type ToolArguments = NonNullable<Expectation['calls']>
type ToolOutcomes = NonNullable<Expectation['called']>

export function checkCalls({ calls }: Deeds, wanted: ToolArguments): Miss[] {
  return missing('calls', wanted, calls)
}

/** Calls that wait, and that nobody has decided on. */
export function checkWaiting({ calls }: Deeds, wanted: ToolArguments): Miss[] {
  const waiting = calls.filter(({ status }) => status === 'waiting')
  return missing('waitsFor', wanted, waiting).map((miss) =>
    waiting.length > 0 ? miss : { ...miss, got: `nothing waits for a person: ${listed(calls)}` },
  )
}

export function checkOutcomes({ calls }: Deeds, wanted: ToolOutcomes): Miss[] {
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
export function checkSilence({ calls, subAgents }: Deeds, tools: readonly string[] | null): Miss[] {
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

export function checkSubAgents({ subAgents }: Deeds, wanted: readonly string[]): Miss[] {
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

export function describeCall({ tool, argumentsText, status }: SeenCall): string {
  return `${tool} ${argumentsText} (${status})`
}
