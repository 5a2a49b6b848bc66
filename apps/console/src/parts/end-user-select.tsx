import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { EndUser } from '@parley/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../data/console-context'
import { useEndUser } from '../data/use-end-user'

interface EndUserSelectProps {
  readonly value: string | null
  readonly onChange: (endUserId: string | null) => void
}

/** Filters by end user. The service searches, because there may be many end users. */
export function EndUserSelect({ value, onChange }: EndUserSelectProps) {
  const { parley } = useConsole()
  const chosen = useEndUser(value).data
  const chosenLabel = chosen === undefined ? '' : labelOf(chosen)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text === chosenLabel ? '' : text, 200)
  const [isOpen, setOpen] = useState(false)
  const found = useQuery({
    queryKey: ['EndUser', 'choose', search],
    queryFn: async () => parley.endUsers.list({ Limit: 50, ...(search !== '' && { Search: search }) }),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  })
  const items = found.data?.items ?? []
  const all = chosen === undefined || items.some(({ id }) => id === chosen.id) ? items : [chosen, ...items]
  return (
    <Select
      aria-label="End user"
      placeholder="Any end user"
      data={all.map((endUser) => ({ value: endUser.id, label: labelOf(endUser) }))}
      value={value}
      onChange={onChange}
      searchable
      searchValue={text}
      onSearchChange={setText}
      onDropdownOpen={() => setOpen(true)}
      filter={({ options }) => options}
      clearable
      nothingFoundMessage={found.isPending ? 'Loading…' : 'No end users found'}
    />
  )
}

const labelOf = ({ name, externalId }: EndUser) => (name === null ? externalId : `${name} (${externalId})`)
