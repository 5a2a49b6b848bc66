import type { PhoneConnection } from '@parley/sdk'

export type PhoneConnectionKind = PhoneConnection['kind']

/** An address of the service that is entered at the provider. */
export interface ProviderUrl {
  readonly title: string
  readonly path: 'answer' | 'status' | 'media'
  /** Says where to enter it. */
  readonly where: string
}

interface KindLabels {
  readonly label: string
  /** Says where to find the account and the secrets. */
  readonly about: string
  readonly account: string
  readonly accountExample: string
  readonly secret: string
  /** Whether the secret is a key in PEM format. */
  readonly isKey?: boolean
  /** The label of what verifies webhooks, if it is not the secret. */
  readonly webhookSecret?: string
  /** The default base URL of the provider's API, if it has one. */
  readonly baseUrl?: string
  /** In the order in which they are entered. */
  readonly urls: readonly ProviderUrl[]
  /** Whether calls to the provider's network are possible. */
  readonly isDialing: boolean
  /** Whether the provider detects voicemails. */
  readonly detectsVoicemail?: boolean
}

const answerTitle = 'Answer URL'
const statusTitle = 'Status URL'

export const phoneConnectionKinds: Readonly<Record<PhoneConnectionKind, KindLabels>> = {
  sip: {
    label: 'SIP',
    about:
      'Any SIP provider or telephone system. Works behind a router, without a public address. The provider shows the user name, the password and the host (registrar) with the SIP account.',
    account: 'User name',
    accountExample: '4930123456',
    secret: 'Password',
    urls: [],
    isDialing: true,
  },
  twilio: {
    label: 'Twilio',
    about: 'The Account SID and the Auth Token are on the start page of the Twilio Console.',
    account: 'Account SID',
    accountExample: 'AC00000000000000000000000000000000',
    secret: 'Auth Token',
    baseUrl: 'https://api.twilio.com',
    urls: [
      {
        title: answerTitle,
        path: 'answer',
        where:
          'In the Twilio Console, open the phone number, and enter this URL under “A call comes in” as a webhook with HTTP POST.',
      },
      {
        title: statusTitle,
        path: 'status',
        where:
          'Optional. Enter it under “Call status changes” with HTTP POST, so that calls end here if the caller gives up early.',
      },
    ],
    isDialing: true,
    detectsVoicemail: true,
  },
  telnyx: {
    label: 'Telnyx',
    about:
      'In the Telnyx Portal, create a Voice API application and assign your numbers to it. The application has an ID. API keys and the public key are in the settings of your account.',
    account: 'Voice API application ID',
    accountExample: '1494404757140276705',
    secret: 'API key',
    webhookSecret: 'Public key',
    baseUrl: 'https://api.telnyx.com',
    urls: [
      {
        title: 'Webhook URL',
        path: 'answer',
        where: 'In the Telnyx Portal, enter this URL in the Voice API application, with API version 2.',
      },
    ],
    isDialing: true,
    detectsVoicemail: true,
  },
  plivo: {
    label: 'Plivo',
    about: 'The Auth ID and the Auth Token are on the start page of the Plivo Console.',
    account: 'Auth ID',
    accountExample: 'MAXXXXXXXXXXXXXXXXXX',
    secret: 'Auth Token',
    baseUrl: 'https://api.plivo.com',
    urls: [
      {
        title: answerTitle,
        path: 'answer',
        where:
          'In the Plivo Console, create an XML application, assign your numbers to it, and enter this URL as “Primary Answer URL” with POST.',
      },
      { title: statusTitle, path: 'status', where: 'Enter it as “Hangup URL” with POST.' },
    ],
    isDialing: true,
    detectsVoicemail: true,
  },
  vonage: {
    label: 'Vonage',
    about:
      'In the Vonage Dashboard, create an application with the capability Voice and link your numbers to it. It has an ID, and creates the private key as a file. The signature secret is in the API settings of your account.',
    account: 'Application ID',
    accountExample: '78d335fa-323d-0114-9c3d-d6f0d48968cf',
    secret: 'Private key',
    isKey: true,
    webhookSecret: 'Signature secret',
    baseUrl: 'https://api.nexmo.com',
    urls: [
      {
        title: answerTitle,
        path: 'answer',
        where:
          'In the Vonage Dashboard, open the application, and enter this URL under Voice with HTTP POST. Leave signed webhooks on.',
      },
      { title: 'Event URL', path: 'status', where: 'Enter it below the answer URL with HTTP POST.' },
    ],
    isDialing: true,
    detectsVoicemail: true,
  },
  asterisk: {
    label: 'Asterisk',
    about:
      'An Asterisk 20.16, 22.6, 23 or later, which sends the audio of incoming calls over a WebSocket. Choose a user name and a password. For outgoing calls, add the Asterisk as SIP.',
    account: 'User name',
    accountExample: 'asterisk',
    secret: 'Password',
    urls: [
      {
        title: 'Media URL',
        path: 'media',
        where: 'Asterisk opens a WebSocket to this URL for each call. The files below contain it.',
      },
    ],
    isDialing: false,
  },
}
