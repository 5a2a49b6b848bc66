import { test } from 'vitest'
import { stepSequencer } from '#server/domain/realtime/calls/response-sequencer.js'
import { idleSequencer } from '#server/domain/realtime/calls/sequencer-state.js'
import { expectLinear } from '../../../support/growth.js'

test('[BND-11] requests of a client that a provider leaves open take time in proportion to their number', async () => {
  await expectLinear(
    (factor) => 3000 * factor,
    (count) => {
      let state = idleSequencer
      for (let index = 0; index < count; index += 1)
        state = stepSequencer(state, { type: 'clientRequest' }).state
    },
  )
})
