import type { Check } from '../check.js'
import { ask, sharedAgent } from '../common-agent.js'
import { expectEqual, expectRejection } from '../expectations.js'

export const conversationChecks: readonly Check[] = [
  {
    title: 'a conversation can be continued, read in order and deleted',
    needs: ['agent:write', 'conversation:write', 'question:ask'],
    usesModel: true,
    timeoutSeconds: 90,
    look: 'the log of the requests',
    async run(visit) {
      const { conversations } = visit.parley
      const first = await ask(visit, { question: 'Hello!' })
      const { conversationId } = first
      const second = await ask(visit, { question: 'Thank you. Goodbye!', conversationId })
      expectEqual(second.conversationId, conversationId, 'the conversation')
      const { items } = await conversations.listMessages(conversationId)
      expectEqual(
        items.map(({ role, content }) => [role, content]),
        [
          ['user', 'Hello!'],
          ['assistant', first.answer],
          ['user', 'Thank you. Goodbye!'],
          ['assistant', second.answer],
        ],
        'the messages',
      )
      const listed = await conversations.list({ AgentId: await sharedAgent(visit), Limit: 200 })
      expectEqual(
        listed.items.filter(({ id }) => id === conversationId).map(({ messageCount }) => messageCount),
        [4],
        'the conversation in the list, with its number of messages',
      )
      await conversations.delete(conversationId)
      await expectRejection(conversations.get(conversationId), 404, 'NotFound')
    },
  },
]
