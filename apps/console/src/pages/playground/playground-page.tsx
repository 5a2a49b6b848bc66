import { Anchor, Button, Skeleton, Stack } from '@mantine/core'
import type { Agent } from '@parley/sdk'
import { IconRobot } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useConsole } from '../../data/console-context'
import { EmptyState } from '../../parts/empty-state'
import { ErrorNotice } from '../../parts/error-notice'
import { PageFrame } from '../../parts/page-frame'
import { AgentChooser } from './agent-chooser'
import { Playground } from './playground'

const lastAgentKey = 'parley.playground.agent'

interface ShownConversation {
  readonly id: string | undefined
  /** A conversation that was created here and is not yet in the URL. */
  readonly made: string | null
  /** Counts opened conversations. A new count remounts the conversation. */
  readonly opening: number
}

/** The playground: talk to an agent, type, and watch its events. */
export function PlaygroundPage() {
  const { membership } = useConsole()
  const search = useSearch({ from: '/inside/playground' })
  const navigate = useNavigate()
  const router = useRouter()
  // Automatic address updates must not cancel the user's own navigation.
  const write = useCallback(
    (written: { agent: string; conversation?: string }) => {
      if (router.latestLocation.pathname !== '/playground') return
      void navigate({ to: '/playground', search: written, replace: true })
    },
    [navigate, router],
  )
  // A conversation that starts here is already shown.
  const [shown, setShown] = useState<ShownConversation>({ id: search.conversation, made: null, opening: 0 })
  if (shown.id !== search.conversation)
    setShown({
      id: search.conversation,
      made: null,
      opening: shown.opening + (search.conversation === shown.made ? 0 : 1),
    })
  const go = useCallback(
    (agent: string, conversation?: string) => {
      void navigate({ to: '/playground', search: { agent, ...(conversation && { conversation }) } })
    },
    [navigate],
  )
  const found = useChosenAgent(search)
  const { agent } = found
  const agentId = agent?.id
  useEffect(() => {
    if (agentId !== undefined) localStorage.setItem(`${lastAgentKey}.${membership.id}`, agentId)
  }, [agentId, membership.id])
  // The address names the agent, so that links can be shared.
  useEffect(() => {
    if (agentId === undefined || search.agent !== undefined) return
    write({ ...search, agent: agentId })
  }, [agentId, search, write])
  if (agent === undefined)
    return (
      <PageFrame title="Playground" isFilling>
        <WithoutAgent {...found} onChoose={go} />
      </PageFrame>
    )
  const onConversation = (conversation: string) => {
    setShown((known) => ({ ...known, made: conversation }))
    write({ agent: agent.id, conversation })
  }
  return (
    <Playground
      key={`${agent.id} ${shown.opening}`}
      agent={agent}
      conversationId={search.conversation ?? null}
      onConversation={onConversation}
      onChoose={go}
      onNew={() => go(agent.id)}
    />
  )
}

interface ChosenAgent {
  readonly agent: Agent | undefined
  readonly hasNone: boolean
  readonly error: unknown
  readonly retry: () => void
}

/** The agent of the URL, of the conversation, the last one used, or the first one. */
function useChosenAgent(search: { agent?: string; conversation?: string }): ChosenAgent {
  const { parley, membership } = useConsole()
  const queries = useQueryClient()
  const choose = async () => {
    if (search.agent) return parley.agents.get(search.agent)
    if (search.conversation)
      return parley.agents.get((await parley.conversations.get(search.conversation)).agentId)
    const last = localStorage.getItem(`${lastAgentKey}.${membership.id}`)
    const known = last === null ? null : await parley.agents.get(last).catch(() => null)
    return known ?? (await parley.agents.list({ Limit: 1 })).items[0] ?? null
  }
  const chosen = useQuery({
    queryKey: [
      'Agent',
      'playground',
      search.agent ?? null,
      search.agent ? null : (search.conversation ?? null),
    ],
    queryFn: async () => {
      const agent = await choose()
      // The address will contain it soon, so nothing is loaded twice.
      if (agent !== null) queries.setQueryData(['Agent', 'playground', agent.id, null], agent)
      return agent
    },
  })
  return {
    agent: chosen.data ?? undefined,
    hasNone: chosen.data === null,
    error: chosen.error,
    retry: () => void chosen.refetch(),
  }
}

function WithoutAgent({
  hasNone,
  error,
  retry,
  onChoose,
}: ChosenAgent & { readonly onChoose: (agentId: string) => void }) {
  if (hasNone)
    return (
      <EmptyState
        icon={IconRobot}
        title="No agents yet"
        action={
          <Button component={Link} to="/agents">
            Go to agents
          </Button>
        }
      >
        Create an agent to try it here.
      </EmptyState>
    )
  if (error !== null)
    return (
      <Stack>
        <ErrorNotice error={error} onRetry={retry} />
        <AgentChooser agent={undefined} onChoose={onChoose} />
        <Anchor component={Link} to="/playground" size="sm">
          New conversation
        </Anchor>
      </Stack>
    )
  return <Skeleton h="100%" />
}
