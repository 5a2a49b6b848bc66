import type { ToolCallState } from '#server/domain/tools/calls/tool-call.js'
import type { ProviderEvent, Request, SimulatedCall, Simulation } from './call-simulation.js'
import { numberOf } from './memoized-sequencer.js'

/**
 * Returns a key that is equal for equal states. It has one character per part, because there are hundreds of
 * thousands of states. Client calls are interchangeable: states that differ only in their order share a key.
 */
export function keyOf(simulation: Simulation): string {
  const { toProvider, fromProvider, calls } = simulation
  const { active, created, made, ourCreates } = simulation
  const codes = [
    numberOf(simulation.sequencer),
    codeOfFlags(simulation),
    active ?? 0,
    created,
    made,
    ourCreates,
  ]
  for (const call of calls) if (call.kind !== 'client') codes.push(codeOfCall(call))
  addClientCodes(codes, calls)
  codes.push(toProvider.length)
  for (const request of toProvider) codes.push(codeOfSent(request, calls))
  for (const event of fromProvider) codes.push(codeOfSent(event, calls))
  return String.fromCharCode(...codes)
}

function addClientCodes(codes: number[], calls: Simulation['calls']): void {
  const start = codes.length
  for (const call of calls) if (call.kind === 'client') codes.push(codeOfCall(call))
  // There is almost always at most one client call.
  if (codes.length > start + 1) codes.push(...codes.splice(start).sort((one, other) => one - other))
}

const bit = (value: boolean) => (value ? 1 : 0)

function codeOfFlags({ mayInterrupt, mayHear, owesAnswer, mayEnd, isEnded, deviation }: Simulation): number {
  const flags = bit(mayInterrupt) | (bit(mayHear) << 1) | (bit(owesAnswer) << 2)
  return flags | (bit(mayEnd) << 3) | (bit(isEnded) << 4) | (bit(deviation.mayFallSilent) << 5)
}

const phaseCodes = {
  storing: 1,
  recording: 2,
  waiting: 3,
  claiming: 4,
  queued: 5,
  running: 6,
  done: 7,
  released: 8,
} as const satisfies Record<ToolCallState['phase'], number>

const stepCodes = { unheard: 0, heard: 1, answered: 2, asked: 3 } as const satisfies Record<
  SimulatedCall['clientStep'],
  number
>

function codeOfCall({ tool, outputs, isStored, isRead, clientStep }: SimulatedCall): number {
  const phase = tool === null ? 0 : phaseCodes[tool.phase]
  return bit(isStored) | (bit(isRead) << 1) | (stepCodes[clientStep] << 2) | (phase << 4) | (outputs << 8)
}

const typeCodes = {
  created: 0,
  done: 1,
  call: 2,
  echo: 3,
  output: 4,
  create: 5,
  refused: 6,
} as const satisfies Record<(Request | ProviderEvent)['type'], number>

/** Stands for any client call. */
const anyClientCall = 15

function codeOfSent(sent: Request | ProviderEvent, calls: Simulation['calls']): number {
  return typeCodes[sent.type] | (flagOf(sent) << 3) | (numberIn(sent, calls) << 4)
}

function flagOf(sent: Request | ProviderEvent): number {
  if (sent.type === 'done') return bit(sent.isCancelled)
  if (sent.type === 'call') return bit(sent.isCutOff)
  return sent.type === 'create' || sent.type === 'refused' ? bit(sent.isOurs) : 0
}

function numberIn(sent: Request | ProviderEvent, calls: Simulation['calls']): number {
  if (sent.type === 'created' || sent.type === 'done') return sent.response
  if (sent.type === 'create' || sent.type === 'refused') return sent.isOurs ? sent.number : anyClientCall
  return calls[sent.call]?.kind === 'client' ? anyClientCall : sent.call
}
