import {
  beginToolCall,
  stepToolCall,
  type ToolCallEvent,
  type ToolCallState,
  type ToolCallStep,
} from '#server/domain/tools/calls/tool-call.js'
import { toolWithEffects } from './a-tool.js'

/** The parts of a step that the exploration needs: the next state and the number of answers. */
export interface MemoizedStep {
  readonly state: ToolCallState
  readonly answers: number
}

/**
 * The tool has side effects, so its call waits until it is recorded. A read-only tool has fewer steps of the
 * same kind.
 */
const work = { tool: toolWithEffects, arguments: {} }
const approval = { id: 'approval', deadline: '2030-01-01T00:00:00.000Z', approvedBy: 'either' } as const
const outcome = { ok: true, output: '' }

/** The events that may happen to a call in each phase. */
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

/** The output's text does not affect the order of events, so it is dropped to reduce the number of states. */
const done: ToolCallState = { phase: 'done', status: 1, output: '' }

function rememberedStep({ state, effects }: ToolCallStep): MemoizedStep {
  const answers = effects.filter(({ effect }) => effect === 'answer').length
  return { state: state.phase === 'done' ? done : state, answers }
}

const refused = rememberedStep(beginToolCall({ ok: false, problem: 'interrupted' }, null))
const begun = {
  plain: rememberedStep(beginToolCall({ ok: true, work }, null)),
  approval: rememberedStep(beginToolCall({ ok: true, work }, approval)),
}

export function beginCall(needsApproval: boolean, isCutOff: boolean): MemoizedStep {
  if (isCutOff) return refused
  return needsApproval ? begun.approval : begun.plain
}

const steps = new WeakMap<ToolCallState, Map<ToolCallEvent['type'], MemoizedStep>>()

/**
 * A memoized step of the tool call's state machine. The step is a pure function, and an exploration repeats a
 * few steps millions of times.
 */
export function stepCall(state: ToolCallState, event: ToolCallEvent): MemoizedStep {
  const taken = steps.get(state) ?? new Map<ToolCallEvent['type'], MemoizedStep>()
  steps.set(state, taken)
  const known = taken.get(event.type)
  if (known) return known
  const step = rememberedStep(stepToolCall(state, event))
  taken.set(event.type, step)
  return step
}
