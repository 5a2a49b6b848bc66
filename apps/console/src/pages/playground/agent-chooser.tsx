import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Agent } from '@parley/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'

interface AgentChooserProps {
  readonly agent: Agent | undefined
  readonly onChoose: (agentId: string) => void
}

/** Chooses the agent. The service searches, because there may be many agents. */
export function AgentChooser({ agent, onChoose }: AgentChooserProps) {
  const { parley } = useConsole()
  const [text, setText] = useState('')
  const name = agent?.name ?? ''
  // The field shows the chosen agent's name until the user types.
  const [search] = useDebouncedValue(text === name ? '' : text, 200)
  const found = useQuery({
    queryKey: ['Agent', 'choose', search],
    queryFn: async () => parley.agents.list({ Limit: 50, ...(search !== '' && { Search: search }) }),
    placeholderData: keepPreviousData,
  })
  const agents = found.data?.items ?? []
  const all = agent === undefined || agents.some(({ id }) => id === agent.id) ? agents : [agent, ...agents]
  return (
    <Select
      aria-label="Agent"
      placeholder={name || 'Choose an agent'}
      data={all.map(({ id, name: label }) => ({ value: id, label }))}
      value={agent?.id ?? null}
      onChange={(id) => id !== null && onChoose(id)}
      searchable
      searchValue={text}
      onSearchChange={setText}
      // The search uses only the typed text, not the selected name.
      onDropdownOpen={() => setText('')}
      onDropdownClose={() => setText(name)}
      filter={({ options }) => options}
      allowDeselect={false}
      nothingFoundMessage="No agents found"
      w={{ base: 'auto', xs: 220 }}
      flex={{ base: 1, xs: 'none' }}
      miw={0}
      comboboxProps={{ withinPortal: true }}
    />
  )
}
