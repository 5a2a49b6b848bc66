import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { Agent } from '@parley/sdk'
import { IconMicrophone, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { Confirm } from '../../parts/confirm'
import { NewCall } from '../calls/new-call'
import type { AgentDraft } from './agent-draft'
import { VoicePreview } from './voice-preview'

interface AgentActionsProps {
  readonly agent: Agent
  readonly draft: AgentDraft
}

export function AgentActions({ agent, draft }: AgentActionsProps) {
  const { may } = useConsole()
  return (
    <>
      {may('realtime:create') && (
        <>
          <VoicePreview agentId={agent.id} voice={draft.voice} />
          <Button
            variant="default"
            leftSection={<IconMicrophone size={16} />}
            renderRoot={(props) => <Link to="/playground" search={{ agent: agent.id }} {...props} />}
          >
            Open in playground
          </Button>
        </>
      )}
      <NewCall agentId={agent.id} />
      {may('agent:write') && <DeleteAgent agent={agent} />}
    </>
  )
}

function DeleteAgent({ agent: { id, name } }: { readonly agent: Agent }) {
  const { parley } = useConsole()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = useChange({
    change: async () => parley.agents.delete(id),
    changes: [],
    done: `${name} deleted.`,
  })
  const confirm = async () => {
    await remove.mutateAsync(undefined)
    await navigate({ to: '/agents', ignoreBlocker: true })
    // Navigation comes first. Otherwise this page would refetch the deleted agent.
    queries.removeQueries({ queryKey: ['Agent', id] })
    await queries.invalidateQueries({ queryKey: ['Agent'] })
  }
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete agent"
      onConfirm={confirm}
      trigger={(open) => (
        <Tooltip label="Delete agent">
          <ActionIcon variant="subtle" color="red" size="lg" onClick={open} aria-label={`Delete ${name}`}>
            <IconTrash size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    >
      Running sessions end, and the agent can no longer be used. Its conversations stay available. This cannot
      be undone.
    </Confirm>
  )
}
