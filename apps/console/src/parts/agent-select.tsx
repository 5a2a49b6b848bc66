import { Select, Text } from '@mantine/core'
import { useAgentDirectory } from '../data/use-directory'

interface AgentSelectProps {
  readonly value: string | null
  readonly onChange: (agentId: string | null) => void
  readonly label?: string
  readonly placeholder?: string
  readonly error?: string | undefined
  readonly readOnly?: boolean
}

export function AgentSelect({
  value,
  onChange,
  label,
  placeholder = 'Any agent',
  error,
  readOnly = false,
}: AgentSelectProps) {
  const agents = useAgentDirectory()
  return (
    <Select
      {...(label === undefined ? { 'aria-label': 'Agent' } : { label })}
      placeholder={placeholder}
      searchable
      clearable={!readOnly}
      readOnly={readOnly}
      data={(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      error={error}
      nothingFoundMessage="No agents found"
    />
  )
}

export function AgentName({ agentId }: { readonly agentId: string | null }) {
  const agents = useAgentDirectory()
  if (agentId === null) return <Text c="dimmed">—</Text>
  return <>{agents.data?.find(({ id }) => id === agentId)?.name ?? agentId.slice(0, 8)}</>
}
