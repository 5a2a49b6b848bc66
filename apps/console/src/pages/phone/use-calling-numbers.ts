import type { PhoneConnection, PhoneNumber } from '@parley/sdk'
import { usePhoneConnectionDirectory, usePhoneNumberDirectory } from '../../data/use-directory'
import { phoneConnectionKinds } from './phone-connection-kinds'

export interface CallingNumber extends PhoneNumber {
  /** Whether the provider detects voicemails. */
  readonly detectsVoicemail: boolean
}

/** Returns the numbers that calls can be made from. Two phone connections can have the same number. */
export function useCallingNumbers(): readonly CallingNumber[] {
  const numbers = usePhoneNumberDirectory().data ?? []
  const connections = (usePhoneConnectionDirectory().data ?? []).filter(isDialing)
  const usable = numbers.flatMap((number) => {
    const connection = connections.find(({ id }) => id === number.phoneConnectionId)
    if (!number.isEnabled || connection === undefined) return []
    const { detectsVoicemail = false } = phoneConnectionKinds[connection.kind]
    return [{ ...number, detectsVoicemail }]
  })
  return [...new Map(usable.map((each) => [each.number, each])).values()]
}

const isDialing = ({ kind, isEnabled, allowedPrefixes }: PhoneConnection) =>
  isEnabled && allowedPrefixes.length > 0 && phoneConnectionKinds[kind].isDialing
