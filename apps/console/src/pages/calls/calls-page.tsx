import { Group, Select } from '@mantine/core'
import type { PhoneCall } from '@parley/sdk'
import { IconPhoneCall, IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { usePhoneNumberDirectory } from '../../data/use-directory'
import { useFilter } from '../../data/use-filter'
import { useRows } from '../../data/use-rows'
import { AgentName, AgentSelect } from '../../parts/agent-select'
import { EmptyState } from '../../parts/empty-state'
import { EndUserSelect } from '../../parts/end-user-select'
import { Filters } from '../../parts/filters'
import { NoMatches } from '../../parts/no-matches'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { ButtonLink } from '../../parts/text-link'
import { Timestamp } from '../../parts/timestamp'
import { StopAllCalls } from '../phone/stop-all-calls'
import { CallBadge, CallDuration, PartyNumber, PhoneNumberName } from './call-cells'
import { directionLabels, optionsOf, stateLabels, valueIn } from './call-labels'
import { NewCall } from './new-call'

export function CallsPage() {
  const { parley, may } = useConsole()
  const navigate = useNavigate()
  const [filter, setFilter] = useFilter(['State', 'Direction', 'AgentId', 'PhoneNumberId', 'EndUserId'])
  const numbers = usePhoneNumberDirectory().data ?? []
  const { AgentId, PhoneNumberId, EndUserId } = filter
  const State = valueIn(stateLabels, filter.State)
  const Direction = valueIn(directionLabels, filter.Direction)
  const chosen = { State, Direction, AgentId, PhoneNumberId, EndUserId }
  const rows = useRows<PhoneCall>({
    resource: 'PhoneCall',
    filter: chosen,
    // The answer of a call causes no change event.
    refetchSeconds: 5,
    read: (range) => parley.phoneCalls.list({ ...chosen, ...range }),
  })
  const open = ({ id }: PhoneCall) =>
    void navigate({ to: '/calls/$phoneCallId', params: { phoneCallId: id } })
  return (
    <PageFrame
      title="Calls"
      about="Active and past telephone calls."
      actions={
        <>
          {rows.totalCount !== 0 && <StopAllCalls />}
          <NewCall />
        </>
      }
      isFilling
    >
      <Filters>
        <Select
          aria-label="State"
          placeholder="Any state"
          clearable
          data={optionsOf(stateLabels)}
          value={State ?? null}
          onChange={(value) => setFilter({ State: value ?? '' })}
        />
        <Select
          aria-label="Direction"
          placeholder="Any direction"
          clearable
          data={optionsOf(directionLabels)}
          value={Direction ?? null}
          onChange={(value) => setFilter({ Direction: value ?? '' })}
        />
        <AgentSelect value={AgentId ?? null} onChange={(value) => setFilter({ AgentId: value ?? '' })} />
        <Select
          aria-label="Phone number"
          placeholder="Any phone number"
          searchable
          clearable
          data={numbers.map(({ id, name }) => ({ value: id, label: name }))}
          value={PhoneNumberId ?? null}
          onChange={(value) => setFilter({ PhoneNumberId: value ?? '' })}
          nothingFoundMessage="No phone numbers found"
        />
        {may('conversation:read') && (
          <EndUserSelect
            value={EndUserId ?? null}
            onChange={(value) => setFilter({ EndUserId: value ?? '' })}
          />
        )}
      </Filters>
      <RowList
        label="Calls"
        rows={rows}
        columns={columns}
        onOpen={open}
        empty={<NoCall isNarrowed={Object.values(chosen).some((value) => value !== undefined)} />}
      />
    </PageFrame>
  )
}

function NoCall({ isNarrowed }: { readonly isNarrowed: boolean }) {
  if (isNarrowed) return <NoMatches icon={IconPhoneCall} what="call" />
  return (
    <EmptyState
      icon={IconPhoneCall}
      title="No calls yet"
      action={
        <ButtonLink to="/phone-numbers" variant="default">
          Phone numbers
        </ButtonLink>
      }
    >
      Set up a phone number with an agent, and call it.
    </EmptyState>
  )
}

const columns: readonly Column<PhoneCall>[] = [
  {
    title: 'Other party',
    width: '2fr',
    cell: ({ direction, from, to }) => (
      <Group gap="xs" wrap="nowrap" miw={0}>
        {direction === 'incoming' ? (
          <IconPhoneIncoming size={16} aria-label="Incoming" />
        ) : (
          <IconPhoneOutgoing size={16} aria-label="Outgoing" />
        )}
        <PartyNumber number={direction === 'incoming' ? from : to} />
      </Group>
    ),
  },
  {
    title: 'Phone number',
    width: '1.5fr',
    isMinor: true,
    cell: ({ phoneNumberId }) => <PhoneNumberName phoneNumberId={phoneNumberId} />,
  },
  { title: 'Agent', width: '1.5fr', isMinor: true, cell: ({ agentId }) => <AgentName agentId={agentId} /> },
  { title: 'State', width: '8.5rem', cell: (call) => <CallBadge call={call} /> },
  { title: 'Duration', width: '7rem', isMinor: true, cell: (call) => <CallDuration call={call} /> },
  {
    title: 'Started',
    width: '7.5rem',
    isMinor: true,
    cell: ({ createdAt }) => <Timestamp at={createdAt} />,
  },
]
