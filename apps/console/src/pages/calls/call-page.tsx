import { Skeleton, Stack } from '@mantine/core'
import type { PhoneCall } from '@parley/sdk'
import { IconPhoneOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { usePhoneConnectionDirectory } from '../../data/use-directory'
import { AgentName } from '../../parts/agent-select'
import { CopyField } from '../../parts/copy-field'
import { EndUserLink } from '../../parts/end-user-link'
import { Facts } from '../../parts/facts'
import { PageFrame } from '../../parts/page-frame'
import { PageOfOne } from '../../parts/page-of-one'
import { Section } from '../../parts/section'
import { TextLink } from '../../parts/text-link'
import { Timestamp } from '../../parts/timestamp'
import { CallBadge, CallDuration, PartyNumber, PhoneNumberName } from './call-cells'
import { directionLabels, endLabels } from './call-labels'
import { HangUp } from './hang-up'
import { PressKeys } from './press-keys'
import { TransferCall } from './transfer-call'

const missing = {
  icon: IconPhoneOff,
  title: 'Call not found',
  why: 'Calls are deleted some time after they end.',
}

/** One call: parties, times, end reason and related pages. */
export function CallPage() {
  const { phoneCallId } = useParams({ from: '/inside/calls/$phoneCallId' })
  const { parley } = useConsole()
  const call = useQuery({
    queryKey: ['PhoneCall', phoneCallId],
    queryFn: async () => parley.phoneCalls.get(phoneCallId),
    // The answer of a call causes no change event.
    refetchInterval: ({ state }) => (state.data?.endedAt === null ? 2000 : false),
  })
  return (
    <PageOfOne title="Call" read={call} missing={missing}>
      {(data) => (
        <PageFrame
          title="Call"
          back={
            <TextLink to="/calls" size="sm">
              Back to calls
            </TextLink>
          }
          actions={
            data?.endedAt === null && (
              <>
                {data.state === 'active' && (
                  <>
                    <PressKeys call={data} />
                    <TransferCall call={data} />
                  </>
                )}
                <HangUp call={data} />
              </>
            )
          }
        >
          {data === undefined ? <Skeleton h={300} /> : <CallFacts call={data} />}
        </PageFrame>
      )}
    </PageOfOne>
  )
}

function CallFacts({ call }: { readonly call: PhoneCall }) {
  const { id, providerCallId, endReason, endDetail, createdAt, answeredAt, endedAt } = call
  return (
    <Stack maw="62rem">
      <Section title="Details">
        <Facts
          facts={{
            State: <CallBadge call={call} />,
            'End reason': endReason !== null && `${endLabels[endReason].meaning} ${endDetail ?? ''}`.trim(),
            Direction: directionLabels[call.direction],
            From: <PartyNumber number={call.from} />,
            To: <PartyNumber number={call.to} />,
            Created: <Timestamp at={createdAt} />,
            Answered: <Timestamp at={answeredAt} never={endedAt === null ? 'not yet' : 'never'} />,
            Ended: <Timestamp at={endedAt} never="not yet" />,
            Duration: <CallDuration call={call} />,
            ID: <CopyField value={id} label="call ID" />,
            'ID at the provider': providerCallId !== null && (
              <CopyField value={providerCallId} label="ID at the provider" />
            ),
          }}
        />
      </Section>
      <CallLinks call={call} />
    </Stack>
  )
}

function CallLinks({ call }: { readonly call: PhoneCall }) {
  const { may } = useConsole()
  const { agentId, conversationId, realtimeSessionId, endUserId, phoneNumberId, phoneConnectionId } = call
  const connections = usePhoneConnectionDirectory().data ?? []
  const mayRead = may('conversation:read')
  return (
    <Section title="Related">
      <Facts
        facts={{
          Agent: (
            <TextLink to="/agents/$agentId" params={{ agentId }} inherit>
              <AgentName agentId={agentId} />
            </TextLink>
          ),
          'End user': mayRead && <EndUserLink of={{ endUserId, externalUserId: null }} />,
          Conversation: mayRead && conversationId !== null && (
            <TextLink to="/conversations/$conversationId" params={{ conversationId }} inherit>
              View transcript
            </TextLink>
          ),
          Session: mayRead && realtimeSessionId !== null && (
            <TextLink to="/sessions/$sessionId" params={{ sessionId: realtimeSessionId }} inherit>
              View session
            </TextLink>
          ),
          'Phone number': <PhoneNumberName phoneNumberId={phoneNumberId} />,
          'Phone connection':
            connections.find((each) => each.id === phoneConnectionId)?.name ?? phoneConnectionId.slice(0, 8),
        }}
      />
    </Section>
  )
}
