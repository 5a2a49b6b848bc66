import { Button } from '@mantine/core'
import type { Conversation } from '@parley/sdk'
import { IconTestPipe } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { TestDrawer } from '../agents/tests/test-drawer'
import { makeTest } from './make-test'

/** Makes a test of the conversation, so that the agent must do the same again. */
export function AddAsTest({ conversation }: { readonly conversation: Conversation }) {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const [made, setMade] = useState<Awaited<ReturnType<typeof readTest>> | null>(null)
  const { id, agentId, title } = conversation

  async function readTest() {
    const [agent, messages, approvals] = await Promise.all([
      parley.agents.get(agentId),
      parley.conversations.listMessages(id, { Limit: 200 }),
      parley.approvals.list({ ConversationId: id, Limit: 200 }),
    ])
    return { agent, start: makeTest(title, messages.items, approvals.items) }
  }

  const prepare = useChange({ change: readTest, changes: [], onDone: setMade })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTestPipe size={16} />}
        loading={prepare.isPending}
        onClick={() => prepare.mutate(undefined)}
      >
        Add as test
      </Button>
      {made !== null && (
        <TestDrawer
          agent={made.agent}
          test={null}
          start={made.start}
          isReadOnly={false}
          onClose={() => setMade(null)}
          onSaved={() =>
            void navigate({
              to: '/agents/$agentId',
              params: { agentId },
              search: { tab: 'tests' },
              ignoreBlocker: true,
            })
          }
        />
      )}
    </>
  )
}
