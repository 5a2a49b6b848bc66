import {
  beginToolCall,
  stepToolCall,
  type ToolCallEvent,
  type ToolCallState,
  type ToolCallStep,
} from '#server/domain/tools/calls/tool-call.js'
import { anEffectiveTool } from './a-tool.js'

/** What a walk needs to know of a step: how many answers the call has got by it. */
export interface RememberedStep {
  readonly state: ToolCallState
  readonly answers: number
}

/** It waits for its record: what changes nothing does less of the same. */
const work = { tool: anEffectiveTool, arguments: {} }
const approval = { id: 'approval', deadline: '2030-01-01T00:00:00.000Z', approvedBy: 'either' } as const
const outcome = { ok: true, output: '' }

/** What may happen to a call by itself. */
export const eventsOfPhase: Readonly<Record<ToolCallState['phase'], readonly ToolCallEvent[]>> = {
  storing: [{ type: 'stored' }, { type: 'storeFailed' }, { type: 'withdrawn' }],
  recording: [{ type: 'recorded' }, { type: 'recordFailed' }],
  waiting: [
    { type: 'approved' },
    { type: 'rejected', reason: null },
    { type: 'expired' },
    { type: 'takenOver', outcome },
  ],
  claiming: [{ type: 'claimed' }, { type: 'takenOver', outcome }],
  queued: [{ type: 'slot' }],
  running: [{ type: 'result', outcome, executionTimeSeconds: 0 }],
  done: [],
  released: [],
}

/** What the output says makes no difference to anybody's order, and would only multiply the states. */
const done: ToolCallState = { phase: 'done', status: 1, output: '' }

function rememberedStep({ state, effects }: ToolCallStep): RememberedStep {
  const answers = effects.filter(({ effect }) => effect === 'answer').length
  return { state: state.phase === 'done' ? done : state, answers }
}

const refused = rememberedStep(beginToolCall({ ok: false, problem: 'interrupted' }, null))
const begun = {
  plain: rememberedStep(beginToolCall({ ok: true, work }, null)),
  approval: rememberedStep(beginToolCall({ ok: true, work }, approval)),
}

export function beginCall(needsApproval: boolean, isCutOff: boolean): RememberedStep {
  if (isCutOff) return refused
  return needsApproval ? begun.approval : begun.plain
}

const steps = new WeakMap<ToolCallState, Map<ToolCallEvent['type'], RememberedStep>>()

/** The machine's own step, taken once for each state and event: it is pure, and a walk takes the same few a million times. */
export function stepCall(state: ToolCallState, event: ToolCallEvent): RememberedStep {
  const taken = steps.get(state) ?? new Map<ToolCallEvent['type'], RememberedStep>()
  steps.set(state, taken)
  const known = taken.get(event.type)
  if (known) return known
  const step = rememberedStep(stepToolCall(state, event))
  taken.set(event.type, step)
  return step
}
