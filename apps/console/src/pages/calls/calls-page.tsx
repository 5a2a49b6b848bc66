import { Group, Select } from '@mantine/core'
import type { PhoneCall, PhoneNumber } from '@parley/sdk'
import { IconPhoneCall, IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { metricPeriods } from '../../data/metric-period'
import { usePhoneConnectionDirectory, usePhoneNumberDirectory } from '../../data/use-directory'
import { useFilter } from '../../data/use-filter'
import { useRows } from '../../data/use-rows'
import { AgentName, AgentSelect } from '../../parts/agent-select'
import { EmptyState } from '../../parts/empty-state'
import { EndUserSelect } from '../../parts/end-user-select'
import { Filters } from '../../parts/filters'
import { LabelSelect, valueIn } from '../../parts/label-select'
import { NoMatches } from '../../parts/no-matches'
import { PageFrame } from '../../parts/page-frame'
import { type Column, RowList } from '../../parts/row-list'
import { ButtonLink } from '../../parts/text-link'
import { Timestamp } from '../../parts/timestamp'
import { StopAllCalls } from '../phone/stop-all-calls'
import { CallBadge, CallDuration, PartyNumber, PhoneNumberName } from './call-cells'
import { CallFigures } from './call-figures'
import { directionLabels, endLabels, stateLabels } from './call-labels'
import { NewCall } from './new-call'

export function CallsPage() {
  const { parley, may } = useConsole()
  const navigate = useNavigate()
  const [filter, setFilter] = useFilter([
    ...(['State', 'Direction', 'EndReason'] as const),
    ...(['AgentId', 'PhoneNumberId', 'EndUserId', 'days'] as const),
  ])
  const numbers = usePhoneNumberDirectory().data ?? []
  const { AgentId, PhoneNumberId, EndUserId } = filter
  const State = valueIn(stateLabels, filter.State)
  const Direction = valueIn(directionLabels, filter.Direction)
  const EndReason = valueIn(endLabels, filter.EndReason)
  const chosen = { State, Direction, EndReason, AgentId, PhoneNumberId, EndUserId }
  const isNarrowed = Object.values(chosen).some((value) => value !== undefined)
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
          {rows.totalCount !== 0 && <NewCall />}
        </>
      }
    >
      {(isNarrowed || rows.totalCount !== 0) && (
        <Filters>
          <LabelSelect
            aria-label="Direction"
            placeholder="Any direction"
            clearable
            labels={directionLabels}
            value={Direction}
            onChange={(value) => setFilter({ Direction: value ?? '' })}
          />
          <LabelSelect
            aria-label="State"
            placeholder="Any state"
            clearable
            labels={stateLabels}
            value={State}
            onChange={(value) => setFilter({ State: value ?? '' })}
          />
          <LabelSelect
            aria-label="End reason"
            placeholder="Any end reason"
            clearable
            labels={endLabels}
            value={EndReason}
            onChange={(value) => setFilter({ EndReason: value ?? '' })}
          />
          <AgentSelect value={AgentId ?? null} onChange={(value) => setFilter({ AgentId: value ?? '' })} />
          <Select
            aria-label="Phone number"
            placeholder="Any number"
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
      )}
      {/* The statistics have no filter for these. */}
      {rows.totalCount !== 0 && [State, EndReason, EndUserId].every((value) => value === undefined) && (
        <CallFigures
          filter={{ AgentId, PhoneNumberId, Direction }}
          days={valueIn(metricPeriods, filter.days) ?? '7'}
          onDays={(days) => setFilter({ days })}
        />
      )}
      <RowList
        isInPage
        label="Calls"
        rows={rows}
        columns={columns}
        onOpen={open}
        empty={<NoCall isNarrowed={isNarrowed} />}
      />
    </PageFrame>
  )
}

/** The empty list says what is missing for a first call. */
function NoCall({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const connections = usePhoneConnectionDirectory().data
  const numbers = usePhoneNumberDirectory().data
  if (isNarrowed) return <NoMatches icon={IconPhoneCall} what="call" />
  if (connections === undefined || numbers === undefined) return null
  const first = numbers.find(isAnswering)
  const [advice, action] =
    connections.length === 0
      ? [
          'Start with a phone connection, the account at your telephone provider. Then add a phone number, and call it.',
          <ButtonLink key="connect" to="/phone-numbers" search={{ tab: 'connections' }}>
            Set up a phone connection
          </ButtonLink>,
        ]
      : first === undefined
        ? [
            'Add a phone number, and choose its phone connection and its agent. Then call it.',
            <ButtonLink key="number" to="/phone-numbers">
              Set up a phone number
            </ButtonLink>,
          ]
        : [`Call ${first.number}. The call appears here when it rings.`, <NewCall key="call" />]
  return (
    <EmptyState icon={IconPhoneCall} title="No calls yet" action={action}>
      {advice}
    </EmptyState>
  )
}

const isAnswering = ({ agentId, phoneConnectionId, isEnabled }: PhoneNumber) =>
  agentId !== null && phoneConnectionId !== null && isEnabled

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
