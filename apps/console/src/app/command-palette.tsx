import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight'
import { IconRobot, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useConsole } from '../data/console-context'
import { navigation } from './pages'

export const openPalette = () => spotlight.open()

/** Search over pages and agents. Choosing a result navigates there and moves the focus. */
export function CommandPalette({ onGone }: { readonly onGone: () => void }) {
  const navigate = useNavigate()
  const { parley, may } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const [isGoing, setGoing] = useState(false)
  const agents = useQuery({
    queryKey: ['Agent', 'palette'],
    queryFn: async () => parley.agents.list({ Limit: 50 }),
    enabled: isOpen && may('agent:read'),
  })
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Pages',
      actions: navigation.flatMap(({ entries }) =>
        entries
          .filter(({ scope }) => may(scope))
          .map(({ path, title, icon: Sign }) => ({
            id: path,
            label: title,
            leftSection: <Sign size={18} />,
            onClick: () => {
              setGoing(true)
              void navigate({ to: path })
            },
          })),
      ),
    },
    {
      group: 'Agents',
      actions: (agents.data?.items ?? []).map(({ id, name }) => ({
        id,
        label: name,
        leftSection: <IconRobot size={18} />,
        onClick: () => {
          setGoing(true)
          void navigate({ to: '/agents/$agentId', params: { agentId: id } })
        },
      })),
    },
  ]
  return (
    <Spotlight
      actions={groups}
      shortcut={['mod + K', '/']}
      nothingFound="No results"
      highlightQuery
      scrollable
      maxHeight={420}
      // The search field keeps its position while the list changes its height.
      centered={false}
      yOffset="15vh"
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
      attributes={{ content: { 'aria-label': 'Search' } }}
      // Closing without a choice returns the focus.
      returnFocus={!isGoing}
      onExitTransitionEnd={() => {
        if (isGoing) onGone()
        setGoing(false)
      }}
      searchProps={{
        placeholder: 'Search pages and agents',
        'aria-label': 'Search pages and agents',
        leftSection: <IconSearch size={18} />,
      }}
    />
  )
}
