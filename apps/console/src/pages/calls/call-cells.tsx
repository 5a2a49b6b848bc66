import { Badge, Text } from '@mantine/core'
import type { PhoneCall } from '@parley/sdk'
import { formatDuration } from '../../data/format-duration'
import { useSecond } from '../../data/ticking'
import { usePhoneNumberDirectory } from '../../data/use-directory'
import { endLabels, secondsOf, stateLabels } from './call-labels'

/** The end reason of an ended call, or the state of another one. */
export function CallBadge({ call: { state, endReason } }: { readonly call: PhoneCall }) {
  const { label, color } = endReason === null ? stateLabels[state] : endLabels[endReason]
  return (
    <Badge variant="light" color={color} fw={500}>
      {label}
    </Badge>
  )
}

export function CallDuration({ call }: { readonly call: PhoneCall }) {
  const second = useSecond()
  const seconds = secondsOf(call, second * 1000)
  if (seconds === null)
    return (
      <Text span inherit c="dimmed">
        none
      </Text>
    )
  return <span data-figures>{formatDuration(seconds)}</span>
}

/** A telephone number. Anonymous callers and deleted conversations have none. */
export function PartyNumber({ number }: { readonly number: string | null }) {
  if (number === null)
    return (
      <Text span inherit c="dimmed">
        Unknown
      </Text>
    )
  return <span data-figures>{number}</span>
}

/** The name of a phone number, or the beginning of its id if it was deleted. */
export function PhoneNumberName({ phoneNumberId }: Pick<PhoneCall, 'phoneNumberId'>) {
  const numbers = usePhoneNumberDirectory().data ?? []
  return <>{numbers.find(({ id }) => id === phoneNumberId)?.name ?? phoneNumberId.slice(0, 8)}</>
}
