import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../data/console-context'

/** The agents by name; the newest two hundred, which is more than one chooses from. */
function useAgentNames() {
  const { parley } = useConsole()
  return useQuery({
    queryKey: ['Agent', 'names'],
    queryFn: async () =>
      (await parley.agents.list({ Limit: 200 })).items.map(({ id, name }) => ({ id, name })),
    staleTime: 60_000,
  })
}

interface AgentSelectProps {
  readonly value: string | null
  readonly onChange: (agentId: string | null) => void
  readonly label?: string
  readonly placeholder?: string
}

export function AgentSelect({ value, onChange, label, placeholder = 'Any agent' }: AgentSelectProps) {
  const agents = useAgentNames()
  return (
    <Select
      {...(label === undefined ? { 'aria-label': 'Agent' } : { label })}
      placeholder={placeholder}
      searchable
      clearable
      data={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      nothingFoundMessage="No agent of that name"
    />
  )
}

export function AgentName({ agentId }: { readonly agentId: string | null }) {
  const agents = useAgentNames()
  if (agentId === null) return <Text c="dimmed">—</Text>
  return <>{agents.data?.find(({ id }) => id === agentId)?.name ?? agentId.slice(0, 8)}</>
}
