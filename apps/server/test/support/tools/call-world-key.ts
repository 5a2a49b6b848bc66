import type { ToolCallState } from '#server/domain/tools/calls/tool-call.js'
import type { News, Request, World, WorldCall } from './call-world.js'
import { numberOf } from './remembered-sequencer.js'

/**
 * Returns a key that is equal for equal states. It has one character per part, because there are hundreds of
 * thousands of states. Client calls are interchangeable: states that differ only in their order share a key.
 */
export function keyOf(world: World): string {
  const { toProvider, fromProvider, calls } = world
  const { active, created, made, ourCreates } = world
  const codes = [numberOf(world.sequencer), codeOfClaims(world), active ?? 0, created, made, ourCreates]
  for (const call of calls) if (call.kind !== 'client') codes.push(codeOfCall(call))
  addClientCodes(codes, calls)
  codes.push(toProvider.length)
  for (const request of toProvider) codes.push(codeOfSent(request, calls))
  for (const news of fromProvider) codes.push(codeOfSent(news, calls))
  return String.fromCharCode(...codes)
}

function addClientCodes(codes: number[], calls: World['calls']): void {
  const start = codes.length
  for (const call of calls) if (call.kind === 'client') codes.push(codeOfCall(call))
  // There is almost always at most one client call.
  if (codes.length > start + 1) codes.push(...codes.splice(start).sort((one, other) => one - other))
}

const bit = (isSo: boolean) => (isSo ? 1 : 0)

function codeOfClaims({ mayInterrupt, mayHear, owesAnswer, mayEnd, isEnded, habit }: World): number {
  const about = bit(mayInterrupt) | (bit(mayHear) << 1) | (bit(owesAnswer) << 2)
  return about | (bit(mayEnd) << 3) | (bit(isEnded) << 4) | (bit(habit.mayFallSilent) << 5)
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
  WorldCall['clientStep'],
  number
>

function codeOfCall({ tool, outputs, isStored, isRead, clientStep }: WorldCall): number {
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
} as const satisfies Record<(Request | News)['type'], number>

/** Stands for any client call. */
const anyOfClient = 15

function codeOfSent(sent: Request | News, calls: World['calls']): number {
  return typeCodes[sent.type] | (claimOf(sent) << 3) | (numberIn(sent, calls) << 4)
}

function claimOf(sent: Request | News): number {
  if (sent.type === 'done') return bit(sent.isCancelled)
  if (sent.type === 'call') return bit(sent.isCutOff)
  return sent.type === 'create' || sent.type === 'refused' ? bit(sent.isOurs) : 0
}

function numberIn(sent: Request | News, calls: World['calls']): number {
  if (sent.type === 'created' || sent.type === 'done') return sent.response
  if (sent.type === 'create' || sent.type === 'refused') return sent.isOurs ? sent.number : anyOfClient
  return calls[sent.call]?.kind === 'client' ? anyOfClient : sent.call
}
