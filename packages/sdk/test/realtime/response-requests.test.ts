import { describe, expect, test } from 'vitest'
import { type RequestEvent, type ResponseRequests, stepRequests } from '#sdk/realtime/response-requests.js'

type Cell = readonly [phase: ResponseRequests['phase'], isWanted: boolean, mustSend?: 'sends']
type Column = Readonly<Record<RequestEvent, Cell>>

/** The transition of every state at every event. A missing cell is a type error. */
const table: Readonly<Record<`${ResponseRequests['phase']}, ${'wanted' | 'not wanted'}`, Column>> = {
  'free, not wanted': {
    request: ['requested', false, 'sends'],
    created: ['active', false],
    done: ['free', false],
    refused: ['active', false],
    lost: ['free', false],
  },
  'free, wanted': {
    request: ['requested', false, 'sends'],
    created: ['active', true],
    done: ['requested', false, 'sends'],
    refused: ['active', true],
    lost: ['requested', false, 'sends'],
  },
  'requested, not wanted': {
    request: ['requested', true],
    created: ['active', false],
    done: ['free', false],
    refused: ['active', true],
    lost: ['free', false],
  },
  'requested, wanted': {
    request: ['requested', true],
    created: ['active', true],
    done: ['requested', false, 'sends'],
    refused: ['active', true],
    lost: ['requested', false, 'sends'],
  },
  'active, not wanted': {
    request: ['active', true],
    created: ['active', false],
    done: ['free', false],
    refused: ['active', false],
    lost: ['active', false],
  },
  'active, wanted': {
    request: ['active', true],
    created: ['active', true],
    done: ['requested', false, 'sends'],
    refused: ['active', true],
    lost: ['active', true],
  },
}

const cells = Object.entries(table).flatMap(([state, column]) =>
  Object.entries(column).map(([event, cell]) => ({ state, event, cell })),
)

describe('response requests', () => {
  test.each(cells)(
    'follow the table: $state, then $event [SDK-23]',
    ({ state, event, cell: [phase, isWanted, sends] }) => {
      const [from = '', wanted] = state.split(', ')
      const requests = { phase: from as ResponseRequests['phase'], isWanted: wanted === 'wanted' }
      expect(stepRequests(requests, event as RequestEvent)).toEqual({
        requests: { phase, isWanted },
        mustSend: sends === 'sends',
      })
    },
  )
})
