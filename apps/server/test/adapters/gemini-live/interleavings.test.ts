import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GeminiDialect } from '#server/adapters/gemini-live/gemini-dialect.js'
import { DialectRun, openingOf } from '../../support/realtime/dialects/dialect-run.js'
import { geminiCommands } from '../../support/realtime/dialects/gemini-commands.js'
import { GeminiServer, newGeminiSessions } from '../../support/realtime/dialects/gemini-server.js'

const models = ['gemini-3.8-live', 'gemini-2.5-flash-native-audio-latest']
const past = [{ id: 'past', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] }]

test('any order of messages, losses and pauses leads to events in the right order [RT-64] [RT-65]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...models),
      fc.boolean(),
      geminiCommands,
      async (model, hasPast, commands) => {
        const sessions = newGeminiSessions()
        const run = await new DialectRun({
          opening: openingOf(model, 'Puck', hasPast ? past : []),
          makeDialect: (...parts) => new GeminiDialect(...parts),
          play: (peer) => new GeminiServer(peer, sessions),
        }).open()
        const calls: string[] = []
        for (const command of commands) {
          await command.do({ run, sessions, calls })
          await run.settle()
        }
        await run.finish()
        const rejected = run.providers.flatMap(({ errors }) => errors)
        const problems = [...run.problems, ...rejected.filter((error) => !/session not found/.test(error))]
        expect(problems).toEqual([])
      },
    ),
    { numRuns: 300, endOnFailure: true },
  )
})
