import { describe, expect, test } from 'vitest'
import {
  beginToolCall,
  resumeToolCall,
  stepToolCall,
  type ToolCallEffect,
  type ToolCallEvent,
  type ToolCallState,
} from '#server/domain/tools/calls/tool-call.js'
import type { BuiltinTool, HttpTool, McpTool } from '#server/ports/tool-executor.js'
import { aTool, toolWithEffects } from '../../../support/tools/a-tool.js'

const shown = {
  ...{
    name: 'a_tool',
    title: null,
    imageUrl: null,
    approvalRequired: false,
    approvedBy: 'either' as const,
    timeoutSeconds: 30,
  },
  button: null,
}

const httpTool = (method: 'GET' | 'POST' | 'DELETE'): HttpTool => ({
  ...{ ...shown, kind: 'http', description: '', parameters: { type: 'object' } },
  request: { method, url: 'https://example.com', headerNames: [], query: {}, body: null },
})

const mcpTool: McpTool = {
  ...{ ...shown, kind: 'mcp', description: null, allowedTools: null, destructiveApprovalRequired: false },
  server: { url: 'https://example.com', name: null, headerNames: [] },
}

const builtin = (name: BuiltinTool['builtin']) =>
  ({ kind: 'builtin', tool: { ...shown, kind: 'builtin', builtin: name, description: null } }) as const

type Phase = ToolCallState['phase']
type EventType = ToolCallEvent['type']

const stays = (phase: Phase): Record<EventType, Phase> => ({
  ...{
    stored: phase,
    storeFailed: phase,
    recorded: phase,
    recordFailed: phase,
    approved: phase,
    rejected: phase,
    expired: phase,
    withdrawn: phase,
  },
  ...{ claimed: phase, takenOver: phase, slot: phase, result: phase, channelGone: phase },
})

// No Partial, so a new phase or event without its cells does not compile.
const table: Record<Phase, Record<EventType, Phase>> = {
  storing: { ...stays('storing'), stored: 'queued', storeFailed: 'done', withdrawn: 'done' },
  recording: {
    stored: 'recording',
    storeFailed: 'recording',
    recorded: 'waiting',
    recordFailed: 'done',
    approved: 'recording',
    rejected: 'recording',
    expired: 'recording',
    withdrawn: 'recording',
    claimed: 'recording',
    takenOver: 'recording',
    slot: 'recording',
    result: 'recording',
    channelGone: 'recording',
  },
  waiting: {
    stored: 'waiting',
    storeFailed: 'waiting',
    recorded: 'waiting',
    recordFailed: 'waiting',
    approved: 'claiming',
    rejected: 'done',
    expired: 'done',
    withdrawn: 'done',
    claimed: 'waiting',
    takenOver: 'done',
    slot: 'waiting',
    result: 'waiting',
    channelGone: 'released',
  },
  claiming: {
    stored: 'claiming',
    storeFailed: 'claiming',
    recorded: 'claiming',
    recordFailed: 'claiming',
    approved: 'claiming',
    rejected: 'claiming',
    expired: 'claiming',
    withdrawn: 'claiming',
    claimed: 'queued',
    takenOver: 'done',
    slot: 'claiming',
    result: 'claiming',
    channelGone: 'claiming',
  },
  queued: { ...stays('queued'), slot: 'running' },
  running: { ...stays('running'), result: 'done' },
  done: stays('done'),
  released: stays('released'),
}

const approval = { id: 'approval', deadline: '2030-01-01T00:00:00.000Z', approvedBy: 'either' } as const
const work = { tool: aTool, arguments: {} }

const states: Record<Phase, ToolCallState> = {
  storing: { phase: 'storing', work },
  recording: { phase: 'recording', work, approval },
  waiting: { phase: 'waiting', work, approval },
  claiming: { phase: 'claiming', work, approval },
  queued: { phase: 'queued', work, approval: null },
  running: { phase: 'running', approval },
  done: { phase: 'done', status: 1, output: 'first' },
  released: { phase: 'released' },
}

const success = { ok: true, output: 'ran' }

const events: Record<EventType, ToolCallEvent> = {
  stored: { type: 'stored' },
  storeFailed: { type: 'storeFailed' },
  recorded: { type: 'recorded' },
  recordFailed: { type: 'recordFailed' },
  approved: { type: 'approved' },
  rejected: { type: 'rejected', reason: 'too dear' },
  expired: { type: 'expired' },
  withdrawn: { type: 'withdrawn' },
  claimed: { type: 'claimed' },
  takenOver: { type: 'takenOver', outcome: success },
  slot: { type: 'slot' },
  result: { type: 'result', outcome: success, executionTimeSeconds: 2 },
  channelGone: { type: 'channelGone' },
}

const namesOf = (effects: readonly ToolCallEffect[]) => effects.map(({ effect }) => effect)

/** The effects of each transition. A cell that changes no phase has no effects. */
const effectsOfMoves: Readonly<Record<string, readonly ToolCallEffect['effect'][]>> = {
  'storing stored': ['enqueue'],
  'storing storeFailed': ['answer'],
  'storing withdrawn': ['answer'],
  'recording recorded': ['emitWaiting', 'watch'],
  'recording recordFailed': ['withdraw', 'append', 'answer'],
  'waiting approved': ['claim'],
  'waiting rejected': ['answer'],
  'waiting expired': ['emitExpired', 'answer'],
  'waiting withdrawn': ['withdraw', 'emitExpired', 'answer'],
  'waiting takenOver': ['answer'],
  'waiting channelGone': [],
  'claiming claimed': ['emitApproved', 'enqueue'],
  'claiming takenOver': ['emitApproved', 'answer'],
  'queued slot': ['run'],
  'running result': ['answer'],
}

const cells = (Object.keys(table) as Phase[]).flatMap((phase) =>
  (Object.keys(table[phase]) as EventType[]).map((type) => [phase, type, table[phase][type]] as const),
)

describe('a tool call', () => {
  test.each(cells)('moves from %s on %s to %s', (phase, type, next) => {
    const { state, effects } = stepToolCall(states[phase], events[type])
    expect(state.phase).toBe(next)
    expect(namesOf(effects)).toEqual(effectsOfMoves[`${phase} ${type}`] ?? [])
    if (phase === next) expect(state).toEqual(states[phase])
  })

  test.each(cells.filter(([phase, , next]) => next === 'done' && phase !== 'done'))(
    'sends one answer when it ends, from %s on %s',
    (phase, type) => {
      const { state, effects } = stepToolCall(states[phase], events[type])
      const answers = effects.filter(({ effect }) => effect === 'answer')
      if (state.phase !== 'done') throw new Error('It is not done.')
      const { status, output } = state
      expect(answers).toEqual([
        {
          ...{ effect: 'answer', status, output },
          executionTimeSeconds: type === 'result' ? 2 : 0,
          // A call that could not be recorded is not finished either.
          approval: type === 'recordFailed' || phase === 'storing' ? null : approval,
        },
      ])
    },
  )

  test.each([
    ['succeeds', true, 1],
    ['fails', false, 2],
  ])('has the matching status if it %s', (_, ok, status) => {
    const outcome = { ok, output: 'said' }
    for (const [phase, type] of [
      ['running', 'result'],
      ['claiming', 'takenOver'],
      ['waiting', 'takenOver'],
    ] as const)
      expect(stepToolCall(states[phase], { type, outcome, executionTimeSeconds: 0 }).state).toEqual({
        phase: 'done',
        status,
        output: 'said',
      })
  })

  test.each([
    ['with a reason', 'too dear', /rejected.*too dear/],
    ['without a reason', null, /rejected.*not run\.$/],
  ])('fails and reports the rejection if it is rejected %s', (_, reason, output) => {
    const { state } = stepToolCall(states.waiting, { type: 'rejected', reason })
    expect(state).toEqual({ phase: 'done', status: 2, output: expect.stringMatching(output) })
  })

  test.each([
    ['with an error', 'wrong', null, 'done', ['append', 'answer']],
    ['with an error, also if it needs approval', 'wrong', approval, 'done', ['append', 'answer']],
    ['in the queue', null, null, 'queued', ['append', 'enqueue']],
    ['with an approval record', null, approval, 'recording', ['record']],
  ] as const)('begins %s', (_, problem, asked, phase, effects) => {
    const step = beginToolCall(problem === null ? { ok: true, work } : { ok: false, problem }, asked)
    expect(step.state.phase).toBe(phase)
    expect(namesOf(step.effects)).toEqual(effects)
  })

  const http = (method: 'GET' | 'POST' | 'DELETE') => ({ kind: 'http', tool: httpTool(method) }) as const
  const mcp = { kind: 'mcp', tool: mcpTool, serverTool: 'look' } as const
  test.each([
    ['an http GET', http('GET'), 'queued'],
    ['an http POST', http('POST'), 'storing'],
    ['an http DELETE', http('DELETE'), 'storing'],
    ['current_time', builtin('current_time'), 'queued'],
    ['search_files', builtin('search_files'), 'queued'],
    ['create_task', builtin('create_task'), 'storing'],
    ['an MCP tool with readOnlyHint true', { ...mcp, isReadOnly: true }, 'queued'],
    ['an MCP tool with readOnlyHint false', { ...mcp, isReadOnly: false }, 'storing'],
    ['an MCP tool without a readOnlyHint', mcp, 'storing'],
    ['a sub-agent', toolWithEffects.action, 'storing'],
  ] as const)('begins with the right phase for %s [TOOL-16]', (_, action, phase) => {
    const { state, effects } = beginToolCall(
      { ok: true, work: { tool: { ...aTool, action }, arguments: {} } },
      null,
    )
    expect(state.phase).toBe(phase)
    expect(namesOf(effects)).toEqual(phase === 'storing' ? ['store'] : ['append', 'enqueue'])
  })

  test.each([
    ['is announced again if it still waits', false, ['emitWaiting', 'watch']],
    ['is not announced if it was decided', true, ['watch']],
  ])('of a former session %s', (_, isDecided, effects) => {
    const step = resumeToolCall(work, approval, isDecided)
    expect(step.state).toEqual({ phase: 'waiting', work, approval })
    expect(namesOf(step.effects)).toEqual(effects)
  })
})
