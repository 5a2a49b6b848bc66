import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LiveDialect } from '#server/adapters/openai-live/live-dialect.js'
import { DialectRun, openingOf } from '../../support/realtime/dialects/dialect-run.js'
import { liveCommands, playLive } from '../../support/realtime/dialects/live-commands.js'

const past = [{ id: 'past', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] }]
const wallTime = () => Math.floor(Date.now() / 1000) * 1000

test('any order of audio, words, calls and losses leads to events in the right order [RT-66] [RT-67]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), liveCommands, async (hasPast, commands) => {
      const run = await new DialectRun({
        opening: openingOf('gpt-live-1', 'alloy', hasPast ? past : []),
        makeDialect: (output, opening) =>
          new LiveDialect({ opening, backendModel: 'gpt-5-mini', output, wallTime }),
        play: playLive,
      }).open()
      const state = { run, answered: new Set() }
      for (const command of commands) {
        await command.do(state)
        await run.settle()
      }
      await run.finish()
      expect([...run.problems, ...run.providers.flatMap(({ live }) => live.errors)]).toEqual([])
    }),
    { numRuns: 100, endOnFailure: true },
  )
})
