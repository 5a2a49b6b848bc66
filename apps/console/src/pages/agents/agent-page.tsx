import { Alert, Skeleton, Stack } from '@mantine/core'
import { NotFoundError } from '@parley/sdk'
import { IconRobotOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { EmptyState } from '../../parts/empty-state'
import { ErrorNotice } from '../../parts/error-notice'
import { PageFrame } from '../../parts/page-frame'
import type { AgentVersion } from './agent-draft'
import { AgentEditor } from './agent-editor'
import { versionKey } from './use-agent-editor'

/** The page of an agent, or of a new one. */
export function AgentPage() {
  const { agentId = 'new' } = useParams({ strict: false })
  return agentId === 'new' ? (
    <AgentEditor key="new" latest={null} />
  ) : (
    <SavedAgent key={agentId} agentId={agentId} />
  )
}

function SavedAgent({ agentId }: { readonly agentId: string }) {
  const { parley } = useConsole()
  const version = useQuery({
    queryKey: versionKey(agentId),
    queryFn: async (): Promise<AgentVersion> => {
      const { data, etag } = await parley.agents.get(agentId).withResponse()
      return { agent: data, etag }
    },
  })
  // Unsaved input is kept, even if another user has deleted the agent.
  if (version.data !== undefined)
    return (
      <>
        {version.error instanceof NotFoundError && (
          <Alert color="orange" icon={<IconRobotOff size={18} />} title="This agent was deleted" mb="md">
            It can no longer be saved or used. Copy what you need before you leave the page.
          </Alert>
        )}
        <AgentEditor latest={version.data} />
      </>
    )
  if (version.isPending)
    return (
      <PageFrame title="Agent">
        <Stack aria-hidden>
          <Skeleton h={36} w="24rem" maw="100%" />
          <Skeleton h={60} />
          <Skeleton h={60} />
          <Skeleton h={320} />
        </Stack>
      </PageFrame>
    )
  return (
    <PageFrame title="Agent">
      {version.error instanceof NotFoundError ? (
        <EmptyState icon={IconRobotOff} title="Agent not found">
          It may have been deleted. Its conversations are still available.
        </EmptyState>
      ) : (
        <ErrorNotice error={version.error} onRetry={() => void version.refetch()} />
      )}
    </PageFrame>
  )
}
