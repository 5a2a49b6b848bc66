import type { PhoneConnection } from '@parley/sdk'

export type PhoneConnectionKind = PhoneConnection['kind']

interface KindLabels {
  readonly title: string
  readonly account: string
  readonly accountExample: string
  readonly secret: string
  /** Says where to find the account and the secret. */
  readonly about: string
  /** Says where to enter the answer URL at the provider. */
  readonly answer: string
}

const sip: KindLabels = {
  title: 'SIP',
  account: 'User name',
  accountExample: '4930123456',
  secret: 'Password',
  about: 'The provider shows the user name, the password and the host with the SIP account.',
  answer: '',
}

export const phoneConnectionKinds: Readonly<Record<PhoneConnectionKind, KindLabels>> = {
  sip,
  telnyx: { ...sip, title: 'Telnyx' },
  plivo: { ...sip, title: 'Plivo' },
  vonage: { ...sip, title: 'Vonage' },
  asterisk: { ...sip, title: 'Asterisk' },
  twilio: {
    title: 'Twilio',
    account: 'Account SID',
    accountExample: 'AC00000000000000000000000000000000',
    secret: 'Auth Token',
    about: 'The Account SID and the Auth Token are on the start page of the Twilio Console.',
    answer:
      'In the Twilio Console, open the phone number, and enter this URL under “A call comes in” as a webhook with HTTP POST.',
  },
}

export const kindOptions = Object.entries(phoneConnectionKinds).map(([value, { title }]) => ({
  value,
  label: title,
}))

export function kindOf(value: string | null): PhoneConnectionKind | null {
  return value !== null && Object.hasOwn(phoneConnectionKinds, value) ? (value as PhoneConnectionKind) : null
}
